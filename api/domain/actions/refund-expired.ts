import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type ActionRule, fromExpiry, needsNoActiveSubmission } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule by which any account returns the escrow of an expired contest to the requester. The contest must have no
 * active submission.
 */
export const refundExpiredContest: ActionRule<NoArgs> = {
  action: 'refund_expired',
  modes: contestModes,
  statuses: ['open'],
  moves: ['TaskExpired'],
  fee: ACTION_FEE,
  eligible: ({ requester }) => [
    { role: 'requester', address: requester },
    { role: 'anyone', address: null },
  ],
  window: fromExpiry,
  blocked: needsNoActiveSubmission,
  offeredAs: ({ id }) => [{ command: `task refund-expired ${id}` }],
}

/**
 * The rule by which any account refunds an expired task without a delivery. A worker who did not deliver loses the
 * stake.
 */
export const refundExpiredAssigned: ActionRule<NoArgs> = {
  ...refundExpiredContest,
  modes: assignedModes,
  statuses: ['open', 'claimed', 'worker_selected'],
}
