import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type ActionRule, fromExpiry, needsNoActiveSubmission } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule by which any account returns the escrow of an expired contest to its requester, while no submission is
 * active.
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

/** The rule for the refund of a task without a worker, or whose worker did not deliver: the worker loses the stake. */
export const refundExpiredAssigned: ActionRule<NoArgs> = {
  ...refundExpiredContest,
  modes: assignedModes,
  statuses: ['open', 'claimed', 'worker_selected'],
}
