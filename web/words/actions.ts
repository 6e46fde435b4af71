import type { PendingAction } from '../http/rows.ts'

/** What each action does, after the name of who may do it. Example: `accept` is "accept an entry, which pays its worker". */
const deeds: Readonly<Record<PendingAction['action'], string>> = {
  accept: 'accept the work, which pays its worker',
  accept_submissions: 'share the reward out among several entries',
  appeal: 'appeal the verdict to the resolver',
  auction_accept: 'take the task at the price of the clock',
  bid: 'bid',
  cancel: 'take the task back, with its reward',
  claim: 'claim the task',
  evaluate: 'decide about the work',
  evaluator_timeout: 'take the decision back from the evaluator, whose time is over',
  finalize_verdict: 'put the verdict into effect',
  forfeit: 'end the claim of a worker who did not deliver, and open the task again',
  pitch: 'pitch',
  rate: 'rate the work',
  reject_submission: 'reject an entry',
  refund_expired: 'send the reward back to the requester',
  resolve_dispute: 'decide the dispute',
  select_winner: 'assign the lowest bidder',
  select_worker: 'select a pitch, whose worker then delivers',
  settle_stale: 'settle the delivery that was never answered',
  submit: 'deliver work',
  submit_proof: 'prove a result',
  update: 'change the terms',
}

const roles: Readonly<Record<PendingAction['role'], string>> = {
  requester: 'The requester',
  worker: 'A worker',
  evaluator: 'The evaluator',
  dispute_resolver: 'The resolver',
  anyone: 'Anyone',
}

/** What an action does. */
export function deedOf(action: PendingAction['action']): string {
  return deeds[action]
}

/** Who may take an action, at the begin of a sentence. */
export function actorOf({ role, eligibleAddress }: Pick<PendingAction, 'role' | 'eligibleAddress'>): string {
  if (role === 'worker' && eligibleAddress !== null) return 'The assigned worker'
  return roles[role]
}
