import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { STALE_AFTER_SECONDS } from '../limits.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import type { ActionRule, TimeWindow } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'
import { contestEvaluationEnd } from './evaluate.ts'

/** The time between the first offer of the action and the beginning of the action's window, in seconds: seven days. */
const NOTICE_SECONDS = 7n * 24n * 3600n

/**
 * The rule by which any account ends a task, from 90 days after the task's expiry. The worker is paid if the worker
 * delivered and the requester recorded no refusal of the delivery. Else the requester is refunded. A task with a
 * verdict is ended by `finalize_verdict` instead. See the interface specification, "Other rules".
 */
export const settleStaleAssigned: ActionRule<NoArgs> = {
  action: 'settle_stale',
  modes: assignedModes,
  statuses: ['open', 'claimed', 'worker_selected', 'pending_approval', 'review'],
  moves: ['TaskCompleted', 'TaskExpired'],
  fee: null,
  eligible: () => [{ role: 'anyone', address: null }],
  window: ({ expiryTime }) => staleFrom(expiryTime),
  noticeSeconds: NOTICE_SECONDS,
  offeredAs: ({ id }) => [{ command: `task settle-stale ${id}` }],
}

/**
 * The rule by which any account ends a stale contest, from 90 days after the contest's last deadline. The last deadline
 * is the expiry or, in a contest with an evaluator, the end of the evaluation window.
 */
export const settleStaleContest: ActionRule<NoArgs> = {
  ...settleStaleAssigned,
  modes: contestModes,
  statuses: ['open'],
  window: (task: TaskSnapshot) => staleFrom(contestEvaluationEnd(task) ?? task.expiryTime),
}

function staleFrom(lastDeadline: bigint): TimeWindow {
  return { from: lastDeadline + STALE_AFTER_SECONDS, until: null }
}
