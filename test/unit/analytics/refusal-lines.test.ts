import { expect, test } from 'vitest'
import { createRefusalLines } from '../../../api/analytics/refusal-lines.ts'

test('given the same refusal many times, then a line is due each minute, with the count since the last one', () => {
  let now = 0
  const lines = createRefusalLines(() => now)
  expect([lines.due('a'), lines.due('a'), lines.due('b'), lines.due('a')]).toEqual([1, null, 1, null])
  now = 59_999
  expect(lines.due('a')).toBeNull()
  now = 60_000
  expect([lines.due('a'), lines.due('a'), lines.due('b')]).toEqual([4, null, 1])
})
