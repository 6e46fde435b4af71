import { describe, expect, test } from 'vitest'
import { readReachedFiles } from '../../../ops/indexer/reached-files.ts'

/** Files of a tree; `entry.ts` is where to begin. */
function reach(tree: Record<string, string>): string[] {
  const read = (path: string): string => {
    const content = tree[path]
    if (content === undefined) throw new Error(`no file ${path}`)
    return content
  }
  return [...readReachedFiles(['entry.ts'], read).keys()]
}

describe('given a file', () => {
  test.each([
    ['a value', `import { value } from './other.ts'`],
    ['a type', `import type { Value } from './other.ts'`],
    ['nothing of a module', `import './other.ts'`],
    ['a namespace', `import * as other from './other.ts'`],
    ['a document', `import other from './other.json' with { type: 'json' }`, 'other.json'],
    ['names after a line break', `import {\n  value,\n} from './other.ts'`],
    ['a literal path when it is called', `const load = () => import('./other.ts')`],
    ['a literal path behind text of two units', `const text = '🦄'; await import("./other.ts")`],
    ['a template without a value', 'await import(`./other.ts`)'],
  ])('that imports %s, then it reaches that file', (_name, content, other = 'other.ts') => {
    expect(reach({ 'entry.ts': content, [other]: '{}' })).toEqual(['entry.ts', other])
  })

  test.each([
    ['a name', `export { value } from './other.ts'`],
    ['a type', `export type { Value } from './other.ts'`],
    ['all names', `export * from './other.ts'`],
    ['all names as one', `export * as other from './other.ts'`],
  ])('that exports %s of another one, then it reaches that file', (_name, content) => {
    expect(reach({ 'entry.ts': content, 'other.ts': '' })).toEqual(['entry.ts', 'other.ts'])
  })

  test.each([
    ['a package', `import { keccak256 } from 'viem'\nimport { ponder } from 'ponder:registry'\nimport 'node:fs'`],
    ['a path in a comment', `// import './other.ts'\n/* export * from './other.ts' */`],
    ['a path in a text', 'const text = `import { value } from "./other.ts"`'],
    ['a local name', 'export { value }\nconst value = 1'],
  ])('that names %s, then it reaches no other file', (_name, content) => {
    expect(reach({ 'entry.ts': content })).toEqual(['entry.ts'])
  })

  test.each([
    ['imports a file that does not exist', `import './absent.ts'`, 'no file absent.ts'],
    ['imports a file without its extension', `import './other'`, 'no file other'],
    ['computes the path of an import', 'await import(path)', 'entry.ts imports a computed path: path'],
    ['adds to a path', 'await import("./" + name)', 'entry.ts imports a computed path'],
    ['has a syntax error', 'const = 1', 'entry.ts has a syntax error'],
  ])('that %s, then it is refused', (_name, content, message) => {
    expect(() => reach({ 'entry.ts': content, 'other.ts': '' })).toThrow(message)
  })
})

test('given imports of imports, in a circle, then each file is read once, in the order of paths', () => {
  const tree = {
    'entry.ts': `import './b/one.ts'`,
    'b/one.ts': `export * from '../a/two.ts'`,
    'a/two.ts': `import type { Entry } from '../entry.ts'\nimport './three.ts'`,
    'a/three.ts': '',
    'a/unused.ts': '',
  }
  expect(reach(tree)).toEqual(['a/three.ts', 'a/two.ts', 'b/one.ts', 'entry.ts'])
})
