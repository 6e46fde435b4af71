import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'

/** Lines that pages tell an operator to look for, against those that programs write. */

const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: repositoryRoot }).map((path) => readFileSync(join(repositoryRoot, path), 'utf8'))
const plain = (text: string) => text.replaceAll('’', "'").replace(/\s+/g, ' ')
const sources = plain(textsOf('{api,graphql,ops,settings,web}/**/*.{ts,sh}').join('\n'))
const [operations = ''] = textsOf('docs/operate/operations.md')
const tables = operations.slice(operations.indexOf('Lines that need an action:'), operations.indexOf('### Secrets'))
/** First cells of their rows, and of other pages what follows the word for a line. */
const named = [
  ...[...tables.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)]),
  ...textsOf('docs/{operate/{bad-day/,}*,internals/failure-modes}.md').flatMap((text) => [
    ...plain(text).matchAll(/(?:\blines? |\blog |\bprints |\bends with )`([^`]+)`/gi),
  ]),
].map(([, line = '']) => plain(line))
/** What stands between the parts that differ: numbers, names and reasons. */
const partsOf = (line: string) => line.split(/\.\.\.|idx_|<[^>]*>|\d+|: it /).map((part) => part.trim())

test('given a line of a log that a page names, then a program writes it', () => {
  expect(named.length).toBeGreaterThan(70)
  const unknown = named.filter((line) => !line.startsWith('{') && partsOf(line).some((part) => !sources.includes(part)))
  expect(unknown).toEqual([])
})
