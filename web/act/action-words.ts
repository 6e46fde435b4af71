/** Each action as a button says it: `pendingActions[].action`, and the acts of a requester that no task offers. */
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

/** Acts that are possible, but seldom what an account came for: their buttons are never the prominent one. */
export const minorActs: readonly string[] = ['update', 'cancel', 'assign_evaluator', 'object', 'reject_submission']

/** Who may act, by the role of an action. */
export const roleWords = {
  requester: 'The requester',
  worker: 'Workers',
  evaluator: 'The evaluator',
  dispute_resolver: 'The dispute resolver',
  anyone: 'Anyone',
} as const
