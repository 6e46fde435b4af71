import type { ActionName } from '../../../protocol/actions.ts'

/**
 * The kinds of work for which an item can be in the action queue. The API calls a kind of work an intent. See the
 * interface specification, "Agents, inbox, action queue".
 */
export const workIntents = [
  'review_work',
  'select_worker',
  'submit_work',
  'settle_expired',
  'evaluate_work',
  'appeal_verdict',
  'resolve_dispute',
  'finalize_verdict',
  'rate_workers',
  'select_auction_winner',
] as const
export type WorkIntent = (typeof workIntents)[number]

/** The roles in which a wallet can have work. */
export const workRoles = ['requester', 'worker', 'evaluator', 'dispute_resolver'] as const
export type WorkRole = (typeof workRoles)[number]

export interface WorkIntentRow {
  intent: WorkIntent
  /**
   * The roles that have this work. While the action is possible, the action appears in the action queue of each wallet
   * that has one of these roles in the task. Of the workers, only the workers whom the action affects have the work
   * (`isWorkOfWorker`).
   */
  roles: readonly WorkRole[]
}

/**
 * The intent of each action. Null for actions that are not in an action queue: those that change the terms (`update`,
 * `cancel`) and those that any worker may take.
 */
export const intentOfAction: Record<ActionName, WorkIntentRow | null> = {
  accept: { intent: 'review_work', roles: ['requester'] },
  accept_submissions: { intent: 'review_work', roles: ['requester'] },
  reject_submission: { intent: 'review_work', roles: ['requester'] },
  evaluator_timeout: { intent: 'review_work', roles: ['requester'] },
  select_worker: { intent: 'select_worker', roles: ['requester'] },
  submit: { intent: 'submit_work', roles: ['worker'] },
  submit_proof: { intent: 'submit_work', roles: ['worker'] },
  refund_expired: { intent: 'settle_expired', roles: ['requester'] },
  forfeit: { intent: 'settle_expired', roles: ['requester'] },
  settle_stale: { intent: 'settle_expired', roles: ['requester', 'worker'] },
  evaluate: { intent: 'evaluate_work', roles: ['evaluator'] },
  appeal: { intent: 'appeal_verdict', roles: ['worker'] },
  resolve_dispute: { intent: 'resolve_dispute', roles: ['dispute_resolver'] },
  finalize_verdict: { intent: 'finalize_verdict', roles: ['requester', 'worker'] },
  rate: { intent: 'rate_workers', roles: ['requester'] },
  select_winner: { intent: 'select_auction_winner', roles: ['requester', 'worker'] },
  auction_accept: null,
  bid: null,
  cancel: null,
  claim: null,
  pitch: null,
  update: null,
}
