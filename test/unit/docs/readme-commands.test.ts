import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'test/README.md',
  'client/README.md',
  ...globSync('docs/**/*.md', { cwd: repositoryRoot }),
]
const text = pages.map((page) => readFileSync(join(repositoryRoot, page), 'utf8')).join('\n')
const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))
const matchesOf = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))]

test('given each `npm run` that a page names, then it is a script of the package', () => {
  const named = matchesOf(/\bnpm run (?:--silent )?([\w:-]+)/g)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('given each benchmark that a page names, then it is one', () => {
  const named = matchesOf(/\bnpm run bench -- (\w+)/g)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !existsSync(join(repositoryRoot, 'test', 'bench', `${name}.ts`)))).toEqual([])
})

test('given each `node scripts/...` that a page names, then the script is there', () => {
  const named = matchesOf(/\bnode (scripts\/[\w./-]+\.(?:ts|mjs))/g)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([])
})
