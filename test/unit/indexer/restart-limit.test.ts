import fc from 'fast-check'
import { expect, test } from 'vitest'
import { consumeRestart } from '../../../ops/indexer/restart-limit.ts'

const limits = { most: 2, periodMs: 1000 }

test.each([
  [[], 0, [0]],
  [[0], 999, [0, 999]],
  [[0, 10], 999, null],
  [[0, 10], 1000, [10, 1000]],
  [[0, 10], 2000, [2000]],
])('given restarts at %j, when there is one at %i, then %j are left', (spent, now, expected) => {
  expect(consumeRestart(spent, now, limits)).toEqual(expected)
})

test('given any restarts, then there are never more than the limit within any period', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 40 }), (gaps) => {
      let now = 0
      let spent: number[] = []
      const restarts: number[] = []
      for (const gap of gaps) {
        now += gap
        const after = consumeRestart(spent, now, limits)
        if (after === null) continue
        spent = after
        restarts.push(now)
        expect(restarts.filter((atMs) => now - atMs < limits.periodMs).length).toBeLessThanOrEqual(limits.most)
      }
    }),
  )
})
