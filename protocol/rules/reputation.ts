/**
 * Endings of a task in its requester's record: the contract's `ReputationKind`, in its order. Neither a worker who delivered
 * nothing nor the evaluator's rejection counts against the requester, so these kinds move no counter.
 */
export const reputationKinds = [
  'completed',
  'cancelled',
  'cancelled_after_submissions',
  'expired_no_action',
  'expired_after_rejections',
  'stale',
  'expired_undelivered',
  'rejected_by_verdict',
] as const

export type ReputationKind = (typeof reputationKinds)[number]

/** Counters of a requester that an ended task moves. */
export interface RequesterCounters {
  tasksCompleted: number
  selfAwards: number
  cancelledAfterSubmissions: number
  expiredNoAction: number
  expiredAfterRejections: number
  staleTasks: number
  undeliveredAuctions: number
}

/**
 * Returns the kind of the contract's enum value. Example: `toReputationKind(5)` is `stale`.
 * @throws beyond the enum, which our own contract never logs
 */
export function toReputationKind(contractKind: number): ReputationKind {
  const kind = reputationKinds[contractKind]
  if (kind === undefined) throw new Error(`the market logged reputation kind ${contractKind}`)
  return kind
}

/**
 * Returns the counters after one more task ended. Interface document, "Tasks" (requester stats).
 * Example: the kind `completed` with `selfAward: true` adds one to `tasksCompleted` and to `selfAwards`.
 */
export function countEnding(
  counters: RequesterCounters,
  {
    kind,
    selfAward,
    isUndeliveredAuction,
  }: { kind: ReputationKind; selfAward: boolean; isUndeliveredAuction: boolean },
): RequesterCounters {
  return {
    tasksCompleted: counters.tasksCompleted + one(kind === 'completed'),
    selfAwards: counters.selfAwards + one(selfAward),
    cancelledAfterSubmissions: counters.cancelledAfterSubmissions + one(kind === 'cancelled_after_submissions'),
    expiredNoAction: counters.expiredNoAction + one(kind === 'expired_no_action'),
    expiredAfterRejections: counters.expiredAfterRejections + one(kind === 'expired_after_rejections'),
    staleTasks: counters.staleTasks + one(kind === 'stale'),
    undeliveredAuctions: counters.undeliveredAuctions + one(isUndeliveredAuction),
  }
}

/**
 * Returns whether an auction ended without the delivery that a bid or an accepted price promised: its winner did not deliver, or
 * no winner was selected of its bids in time. A requester's second wallet can end an auction that way.
 * Example: `hasUndeliveredEntry('expired_no_action', { mode: 'auction', bidCount: 0 })` is false.
 */
export function hasUndeliveredEntry(kind: ReputationKind, task: { mode: string; bidCount: number }): boolean {
  if (task.mode !== 'auction') return false
  return kind === 'expired_undelivered' || (kind === 'expired_no_action' && task.bidCount > 0)
}

function one(condition: boolean): number {
  return condition ? 1 : 0
}
