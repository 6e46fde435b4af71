import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type ActionRule, fromExpiry, needsNoActiveSubmission } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/** The escrow of an expired task back to its requester, on any account's request, while no submission stands. */
export const refundExpiredContest: ActionRule<NoArgs> = {
  action: 'refund_expired',
  modes: contestModes,
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: ({ requester }) => [
    { role: 'requester', address: requester },
    { role: 'anyone', address: null },
  ],
  window: fromExpiry,
  blocked: needsNoActiveSubmission,
  offeredAs: ({ id }) => [{ command: `task refund-expired ${id}` }],
}

/** The same of a task without a worker, or whose worker did not deliver: the worker's stake is lost. */
export const refundExpiredAssigned: ActionRule<NoArgs> = {
  ...refundExpiredContest,
  modes: assignedModes,
  statuses: ['open', 'claimed', 'worker_selected'],
}
