import { expect, test } from 'vitest'
import { leastPriceOf } from '../../../protocol/clock-price.ts'
import { anAuction, BID_DEADLINE } from '../../support/task-snapshots.ts'

const dutch = anAuction('dutch')
const opening = dutch.createdAt
const noon = (opening + BID_DEADLINE) / 2n

test.each([
  // 4 USDC fall in 82800 seconds: 28985 base units (rounded down) in 600.
  ['a dutch auction at its creation', dutch, opening, 5_000_000n - 28_985n],
  ['a dutch auction at its deadline', dutch, BID_DEADLINE - 1n, 1_000_000n],
  ['a reverse dutch auction halfway', anAuction('reverse_dutch'), noon, 3_000_000n],
  ['a head from before the task’s block', anAuction('reverse_dutch', { clockPrice: 1n }), opening - 60n, 1n],
] as const)(
  'given %s, then the least price in ten minutes is the lowest that its clock can reach',
  (_name, task, now, price) => {
    expect(leastPriceOf(task, { now, end: now + 600n })).toBe(price)
  },
)
