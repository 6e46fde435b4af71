import { nothing } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { ifGiven, toAmount, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

interface AcceptAuctionRequest {
  taskId: string
  /** The lowest price that the worker accepts, in USDC base units. If it is absent, the service sets it. */
  minPrice?: string | undefined
}

/**
 * Accepts the current price of a dutch or reverse dutch auction. The payer becomes the worker (specification, "Claim,
 * pitches, bids, proofs").
 * Example: the call `acceptAuction(taskId, minPrice)` of the market with a `minPrice` of 3_500_000n base units. The
 * service's fee is 1_000n base units of USDC.
 */
export const acceptAuction = marketCall('acceptAuction')({
  name: 'bids.accept',
  operationId: 'acceptAuction',
  path: '/tasks/{taskId}/bids/accept',
  action: 'auction_accept',
  modes: ['paid'],
  facts: [],
  boundFields: ['minPrice'],
  normalise: ({ taskId, minPrice }: AcceptAuctionRequest) => ({
    taskId: toBytes(taskId),
    minPrice: ifGiven(minPrice, toAmount),
  }),
  args: ({ taskId, minPrice }) => {
    // A call without a least price would take the task at any price.
    if (minPrice === undefined) throw new Error('the least price of an auction was not set')
    return [taskId, minPrice]
  },
  price: actionFee,
  decides: nothing,
})

export const acceptAuctionListing: ListingOf<typeof acceptAuction> = {
  summary: 'Take a task at its clock price',
  description:
    'Paid, and the payer is the worker; dutch and reverse dutch auctions. The price is that of the block it lands in, ' +
    'and the rest of the escrow goes back to the requester at once. Lands at `minPrice` or more, or not at all.',
  gas: { typicalGas: 240_000, gasCeiling: 400_000 },
  example: { taskId: exampleTaskId, minPrice: '3500000' },
}
