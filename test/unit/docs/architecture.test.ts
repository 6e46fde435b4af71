import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { kinds } from '../../../scripts/where/find-answers.ts'
import { openSources } from '../../../scripts/where/sources.ts'

/** docs/internals/architecture.md against the code. `npm run where` has what the page leaves out. */

const page = readFileSync(join(repositoryRoot, 'docs/internals/architecture.md'), 'utf8')
const names = [...page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
const sectionOf = (from: string, to: string) => page.slice(page.indexOf(`## ${from}`), page.indexOf(`## ${to}`))

test('the page is short', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(181)
})

test('every path that the page names is there', () => {
  const paths = names.filter((name) => /^[a-z]+\/[\w./-]*$/.test(name))
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})

test('every file of a stage or step is there', () => {
  const rows = sectionOf('The life of a write', 'The read path')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const files = rows.flatMap((row) => (row.split(' | ')[2] ?? '').match(/(?<=`)[\w/.-]+(?=`)/g) ?? [])
  expect(files.length).toBeGreaterThan(30)
  expect(files.filter((file) => !isThere(file))).toEqual([])
})

test('every folder of the project and of the service is named', () => {
  const folders = sectionOf('The folders', 'The life of a write')
  const foldersIn = (path: string) =>
    readdirSync(join(repositoryRoot, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^[.]|^(node_modules|docs)$/.test(entry.name))
      .map(({ name }) => name)
  const unnamed = [...foldersIn('').map((name) => `${name}/`), ...foldersIn('api')].filter(
    (name) => !folders.includes(`\`${name.replace(/\/$/, '')}`),
  )
  expect(unnamed).toEqual([])
})

test('every loop of the service is named', () => {
  const loops = sectionOf('The loops', 'Where state is')
  const started = kinds.find(({ title }) => title === 'background loop')?.names(openSources(repositoryRoot)) ?? []
  expect(started.length).toBeGreaterThan(15)
  expect(started.filter((name) => !name.includes('<') && !loops.includes(`\`${name}\``))).toEqual([])
})

/** A path from the root, from `api/`, or from a folder that a table of the page is about. */
function isThere(path: string): boolean {
  const folders = ['', 'api/', 'api/domain/', 'api/writes/stages/', 'api/relayer/', 'api/relayer/{transactions,loops}/']
  return folders.some((folder) => globSync(`${folder}${path}{,.ts}`, { cwd: repositoryRoot }).length > 0)
}
