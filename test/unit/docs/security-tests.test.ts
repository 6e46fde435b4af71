import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'

const text = readFileSync(join(repositoryRoot, 'docs', 'internals', 'security.md'), 'utf8')
const section = /## Who can do what to whom\n([\s\S]*?)\n## /.exec(text)?.[1] ?? ''
const tests = [...section.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \| `([^`]+)` \|$/gm)].map(
  ([, names = '', path = '']) => ({
    names: namesIn(names),
    path,
  }),
)

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name)
}

describe('the table of who can do what', () => {
  test.each(tests)('given the test of $names, then $path exists', ({ path }) => {
    expect(existsSync(join(repositoryRoot, path))).toBe(true)
  })

  test('given a test that a cell names, then it is listed', () => {
    const listed = tests.flatMap(({ names }) => names)
    const named = [...section.matchAll(/\((`[a-z-]+`(?:, `[a-z-]+`)*)\)/g)].flatMap(([, names = '']) => namesIn(names))
    expect(tests.length).toBeGreaterThan(10)
    expect([...new Set(named)].sort()).toEqual([...new Set(listed)].sort())
  })
})
