import { biddingTypes } from '../../../protocol/rules/selectors.ts'
import { refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import type { ActionRule, TimeWindow } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule that assigns an auctioned task to the lowest bidder. Of equal bids, the earlier bid wins. Any account may
 * request the action for free, so a requester cannot withhold the task. After the expiry, the action is no longer
 * possible.
 */
export const selectLowestBidder: ActionRule<NoArgs> = {
  action: 'select_winner',
  modes: ['auction'],
  auctionTypes: biddingTypes,
  denial: 'takes no bids, and so has no winner to select',
  statuses: ['open'],
  moves: ['TaskWorkerSelected'],
  fee: null,
  eligible: () => [{ role: 'anyone', address: null }],
  window: betweenDeadlineAndExpiry,
  blocked: ({ bidCount }) => (bidCount > 0 ? null : refuse(409, 'no_bids', 'No worker has bid.')),
  offeredAs: ({ id }) => [{ command: `task select-winner ${id}` }],
}

function betweenDeadlineAndExpiry({ bidDeadline, expiryTime }: TaskSnapshot): TimeWindow {
  return { from: bidDeadline, until: expiryTime }
}
