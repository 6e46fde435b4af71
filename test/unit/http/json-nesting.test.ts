import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNestingFault } from '../../../api/http/bodies/json-nesting.ts'

const faultOf = (text: string) => findNestingFault(Buffer.from(text))

test('given 32 levels, then they pass, and one more does not', () => {
  expect(faultOf('['.repeat(32) + ']'.repeat(32))).toBeNull()
  expect(faultOf('['.repeat(33) + ']'.repeat(33))).toMatch(/32 levels/)
  expect(faultOf(`${'{"a":['.repeat(17)}`)).toMatch(/32 levels/)
})

test('given brackets in strings, then they do not count, with any escapes', () => {
  const brackets = '['.repeat(100)
  for (const text of [brackets, `\\${brackets}`, `"${brackets}`, `\\"${brackets}`, `\\\\${brackets}`]) {
    expect(faultOf(JSON.stringify({ text }))).toBeNull()
  }
  // A quote that is not escaped ends the string: the rest counts.
  expect(faultOf(`"a\\\\"${brackets}`)).not.toBeNull()
})

test('given any JSON, then the depth is that of its value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 40, depthSize: 'large' }), (value) => {
      expect(faultOf(JSON.stringify(value)) === null).toBe(depthOf(value) <= 32)
    }),
  )
})

test('given malformed text, then there is no error: the parser reports it', () => {
  for (const text of ['', '"', '"\\', '}', ']]]]', '\\']) expect(faultOf(text)).toBeNull()
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
