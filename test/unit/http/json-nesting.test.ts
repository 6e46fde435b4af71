import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNestingFault } from '../../../api/http/bodies/json-nesting.ts'

const faultOf = (text: string) => findNestingFault(Buffer.from(text))

test('32 levels pass, one more does not', () => {
  expect(faultOf('['.repeat(32) + ']'.repeat(32))).toBeNull()
  expect(faultOf('['.repeat(33) + ']'.repeat(33))).toMatch(/32 levels/)
  expect(faultOf(`${'{"a":['.repeat(17)}`)).toMatch(/32 levels/)
})

test('brackets in strings do not count, however the string is escaped', () => {
  const brackets = '['.repeat(100)
  for (const text of [brackets, `\\${brackets}`, `"${brackets}`, `\\"${brackets}`, `\\\\${brackets}`]) {
    expect(faultOf(JSON.stringify({ text }))).toBeNull()
  }
  // A quote that is not escaped ends the string: what follows counts.
  expect(faultOf(`"a\\\\"${brackets}`)).not.toBeNull()
})

test('says of any JSON what its depth says', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 40, depthSize: 'large' }), (value) => {
      expect(faultOf(JSON.stringify(value)) === null).toBe(depthOf(value) <= 32)
    }),
  )
})

test('garbage ends without a fault of its own: the parser says what is wrong', () => {
  for (const text of ['', '"', '"\\', '}', ']]]]', '\\']) expect(faultOf(text)).toBeNull()
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
