/**
 * Ways in which a task can end, in the order of the contract's enum `ReputationKind`. `expired_undelivered`: the
 * assigned worker delivered nothing. `rejected_by_verdict`: the evaluator rejected the work. These two do not count in
 * the requester's record, with one exception: an auction that ends with `expired_undelivered` adds one to
 * `undeliveredAuctions` (see `hasUndeliveredEntry`).
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

/** Counters in a requester's record that can change when a task ends. */
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
 * Returns the name of a value of the contract's enum `ReputationKind` (how a task counts in its requester's record).
 * Example: `toReputationKind(5)` is `stale`.
 * @throws if the number is not in the enum; our own contract never logs such a number
 */
export function toReputationKind(contractKind: number): ReputationKind {
  const kind = reputationKinds[contractKind]
  if (kind === undefined) throw new Error(`the market logged reputation kind ${contractKind}`)
  return kind
}

/**
 * Returns a requester's counters after one more of the requester's tasks ended (interface specification, "Tasks").
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
 * Returns true if a task is an auction that ended without a delivery, although a worker had made a bid or had accepted
 * the price.
 * Example: `hasUndeliveredEntry('expired_no_action', { mode: 'auction', bidCount: 0 })` is false.
 */
export function hasUndeliveredEntry(kind: ReputationKind, task: { mode: string; bidCount: number }): boolean {
  // These auctions are counted, because a requester could bid with a second wallet and then let the auction end without
  // a delivery.
  if (task.mode !== 'auction') return false
  return kind === 'expired_undelivered' || (kind === 'expired_no_action' && task.bidCount > 0)
}

function one(condition: boolean): number {
  return condition ? 1 : 0
}
