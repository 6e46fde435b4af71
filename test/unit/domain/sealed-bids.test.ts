import { expect, test } from 'vitest'
import { areBidsSealed } from '../../../protocol/sealed-bids.ts'

test.each([
  ['reverse_english', 10n, 9n, true],
  ['reverse_english', 10n, 10n, false],
  ['reverse_english', null, 9n, false],
  ['english', 10n, 9n, false],
  [null, 10n, 9n, false],
])('given an auction %s until %s, then at %s its bids are sealed: %s', (auctionType, bidDeadline, now, isSealed) => {
  expect(areBidsSealed({ auctionType, bidDeadline }, now)).toBe(isSealed)
})
