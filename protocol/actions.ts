/**
 * Names of all actions that a task can offer to an account as pending actions, in any mode (specification,
 * "PendingAction").
 */
export const actionNames = [
  'accept',
  'accept_submissions',
  'appeal',
  'auction_accept',
  'bid',
  'cancel',
  'claim',
  'evaluate',
  'evaluator_timeout',
  'finalize_verdict',
  'forfeit',
  'pitch',
  'rate',
  'reject_submission',
  'refund_expired',
  'resolve_dispute',
  'select_winner',
  'select_worker',
  'settle_stale',
  'submit',
  'submit_proof',
  'update',
] as const
/** The name of a pending action. */
export type ActionName = (typeof actionNames)[number]
