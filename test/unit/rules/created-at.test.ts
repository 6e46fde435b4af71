import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextCreatedAtMs } from '../../../protocol/rules/created-at.ts'

test.each([
  [0n, 1_700_000_000n, 1_700_000_000_000n],
  [1_700_000_000_000n, 1_700_000_000n, 1_700_000_000_001n],
  [1_700_000_000_999n, 1_700_000_001n, 1_700_000_001_000n],
  [1_700_000_001_000n, 1_700_000_001n, 1_700_000_001_001n],
])(
  'given %s as the last one, when a task has the block time %s, then it is created at %s',
  (last, blockTime, expected) => {
    expect(nextCreatedAtMs(last, blockTime)).toBe(expected)
  },
)

test('given any blocks, then the times strictly increase and are never before their block', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 30n }), { maxLength: 60 }), (steps) => {
      let last = 0n
      let blockTime = 1_700_000_000n
      for (const step of steps) {
        blockTime += step
        const next = nextCreatedAtMs(last, blockTime)
        expect(next).toBeGreaterThan(last)
        expect(next).toBeGreaterThanOrEqual(blockTime * 1000n)
        last = next
      }
    }),
  )
})

test('given a second with fewer than a thousand tasks, then the next is not affected', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), (count) => {
      let last = 0n
      for (let index = 0; index < count; index += 1) last = nextCreatedAtMs(last, 1_700_000_000n)
      expect(nextCreatedAtMs(last, 1_700_000_001n)).toBe(1_700_000_001_000n)
    }),
  )
})
