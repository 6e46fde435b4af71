import { nothing } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAmount, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

interface CreateBidRequest {
  taskId: string
  /** Amount for which the worker offers to do the task, USDC base units. */
  price: string
}

/**
 * Places a bid in an auction, or replaces the worker's bid by a lower one (specification, "Claim, pitches, bids,
 * proofs").
 * Example: the call `submitBid(taskId, price)` of the market with a price of 4_000_000n base units. The service's fee
 * is 1_000n base units of USDC.
 */
export const createBid = marketCall('submitBid')({
  name: 'bids.create',
  operationId: 'createBid',
  path: '/tasks/{taskId}/bids',
  action: 'bid',
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId, price }: CreateBidRequest) => ({ taskId: toBytes(taskId), price: toAmount(price) }),
  args: ({ taskId, price }) => [taskId, price],
  price: actionFee,
  decides: nothing,
})

export const createBidListing: ListingOf<typeof createBid> = {
  summary: 'Bid in an auction',
  description:
    'Paid, and the payer is the bidder. English: below the lowest bid. Reverse english: below the worker’s own last ' +
    'bid; bids are sealed until `bidDeadline`. A worker’s later bid replaces the earlier one, under the same id.',
  gas: { typicalGas: 220_000, gasCeiling: 350_000 },
  example: { taskId: exampleTaskId, price: '4000000' },
}
