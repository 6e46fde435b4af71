import { expect, test } from 'vitest'
import { findNearest } from '../../../protocol/text/find-nearest.ts'

test.each([
  ['statuz', ['sort', 'status'], 'status'],
  ['STATUS', ['status'], 'status'],
  ['ba', ['ab'], 'ab'],
  ['x', ['ab'], null],
  ['limit', ['a', 'status'], null],
  ['abcd', ['abxx', 'abc'], 'abc'],
  [`${'a'.repeat(63)}b`, ['a'.repeat(64)], 'a'.repeat(64)],
  ['a'.repeat(65), ['a'.repeat(64)], null],
  ['a'.repeat(64), ['a'.repeat(65)], null],
])('given the name %s among %j, then the nearest is %s', (name, known, nearest) => {
  expect(findNearest(name, known)).toBe(nearest)
})
