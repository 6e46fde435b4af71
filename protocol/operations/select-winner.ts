import { rewardOfRequester } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { free } from '../prices.ts'

/**
 * Assigns the lowest bidder of an auction as the worker. Any account may send this call for free (specification,
 * "Claim, pitches, bids, proofs").
 * Example: the call `selectLowestBidder(taskId)` of the market.
 */
export const selectWinner = marketCall('selectLowestBidder')({
  name: 'bids.selectWinner',
  operationId: 'selectWinner',
  path: '/tasks/{taskId}/bids/select-winner',
  action: 'select_winner',
  legalExempt: true,
  modes: ['open'],
  facts: ['reward', 'requester'],
  normalise: ({ taskId }: { taskId: string }) => ({ taskId: toBytes(taskId) }),
  args: ({ taskId }) => [taskId],
  price: free,
  decides: rewardOfRequester,
})

export const selectWinnerListing: ListingOf<typeof selectWinner> = {
  summary: 'Give an auction to its lowest bidder',
  description:
    'Free, open to anyone; english and reverse english auctions, from `bidDeadline` until the expiry. Of equal bids ' +
    'the earlier one wins. The rest of the escrow goes back to the requester at once. A signature of the requester may ' +
    'stand in the body; none is needed. Who sends the read-identity headers along may read the intent afterwards.',
  gas: { typicalGas: 140_000, gasCeiling: 350_000, freeBudget: 'entries' },
  example: { taskId: exampleTaskId },
}
