/**
 * Button labels by action: for each action in `pendingActions[].action`, and for the requester's actions that
 * `pendingActions` does not list. Example: the label of `claim` is `Claim this task`.
 */
export const actionWords: Readonly<Record<string, string>> = {
  accept: 'Accept and pay',
  accept_submissions: 'Split the reward',
  appeal: 'Appeal',
  assign_evaluator: 'Name an evaluator',
  auction_accept: 'Take it at the present price',
  bid: 'Bid',
  cancel: 'Cancel this task',
  claim: 'Claim this task',
  evaluate: 'Give the verdict',
  evaluator_timeout: 'Go on without the evaluator',
  finalize_verdict: 'Carry the verdict out',
  forfeit: 'End the claim',
  object: 'Refuse this delivery',
  pitch: 'Pitch',
  rate: 'Rate the worker',
  refund_expired: 'Take the refund',
  reject_submission: 'Reject an entry',
  resolve_dispute: 'Settle the dispute',
  select_winner: 'Give it to the lowest bid',
  select_worker: 'Choose a worker',
  settle_stale: 'Settle it without the requester',
  submit: 'Deliver work',
  submit_proof: 'Submit a proof',
  update: 'Change this task',
}

/**
 * Actions that are possible but rarely the purpose of a visit. The main (highlighted) button of a page is never for one
 * of these actions.
 */
export const minorActs: readonly string[] = ['update', 'cancel', 'assign_evaluator', 'object', 'reject_submission']

/**
 * Noun phrases for the accounts that may take an action, by the action's role. Example: `Workers` for the role
 * `worker`.
 */
export const roleWords = {
  requester: 'The requester',
  worker: 'Workers',
  evaluator: 'The evaluator',
  dispute_resolver: 'The dispute resolver',
  anyone: 'Anyone',
} as const
