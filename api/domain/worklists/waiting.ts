import { isContest } from '../../../protocol/rules/selectors.ts'
import { contestEvaluationEnd } from '../actions/evaluate.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import type { WalletPart } from './wallet-part.ts'
import { staleAtOf, type WorkItem } from './work-items.ts'

export const waitingReasons = [
  'waiting_for_submissions',
  'waiting_for_worker',
  'waiting_for_review',
  'waiting_for_evaluator',
  'waiting_for_appeal_window',
  'waiting_for_settlement',
] as const
export type WaitingReason = (typeof waitingReasons)[number]

/** The roles in which a wallet may have to wait for other accounts. */
export const waitingRoles = ['requester', 'worker'] as const
type WaitingRole = (typeof waitingRoles)[number]

/**
 * The reason why a wallet waits in a task for other accounts. `dueAt` is the deadline of those accounts, in Unix
 * seconds. `dueAt` is null if they have no deadline.
 */
export interface Waiting {
  role: WaitingRole
  reason: WaitingReason
  dueAt: bigint | null
}

/**
 * Returns the reasons why a wallet waits in a task at `now`, at most one for each role. `now` is the time of the latest
 * block in Unix seconds. A role with work to do does not wait. A worker who may appeal waits, because an appeal is
 * optional. See the interface specification, "Agents, inbox, action queue".
 */
export function listWaiting(
  task: TaskSnapshot,
  part: WalletPart,
  { now, items }: { now: bigint; items: readonly WorkItem[] },
): Waiting[] {
  return waitingRoles.flatMap((role) => {
    if (items.some((item) => item.role === role && item.intent !== 'appeal_verdict')) return []
    const isWaiting = role === 'requester' ? task.requester === part.address : isWorker(task, part)
    const wait = isWaiting ? (role === 'requester' ? ofRequester(task, now) : ofWorker(task)) : null
    return wait === null ? [] : [{ role, ...wait }]
  })
}

/** Returns true if the wallet is the assigned worker, has an active submission, or is awarded by the verdict. */
function isWorker({ worker }: TaskSnapshot, part: WalletPart): boolean {
  return worker === part.address || part.activeSubmissionCount > 0 || part.isVerdictAwarded
}

type Wait = Omit<Waiting, 'role'>

function ofRequester(task: TaskSnapshot, now: bigint): Wait | null {
  switch (task.status) {
    case 'open':
      return isContest(task.mode) ? ofContest(task) : ofUnassigned(task, now)
    case 'claimed':
    case 'worker_selected':
      return { reason: 'waiting_for_worker', dueAt: task.expiryTime }
    default:
      return ofBoth(task)
  }
}

function ofContest(task: TaskSnapshot): Wait | null {
  if (task.activeSubmissionCount === 0) return { reason: 'waiting_for_submissions', dueAt: task.expiryTime }
  return task.evaluator === null ? null : { reason: 'waiting_for_evaluator', dueAt: contestEvaluationEnd(task) }
}

/**
 * Returns the wait of the requester of an unassigned task: the requester waits for a worker. If an auction takes bids
 * now, `dueAt` is the bid deadline. Otherwise, `dueAt` is the expiry. Returns null if the mode is unknown.
 */
function ofUnassigned({ mode, bidDeadline, expiryTime }: TaskSnapshot, now: bigint): Wait | null {
  if (mode === 'unknown') return null
  return {
    reason: 'waiting_for_worker',
    dueAt: bidDeadline !== null && now < bidDeadline ? bidDeadline : expiryTime,
  }
}

function ofWorker(task: TaskSnapshot): Wait | null {
  const { status, evaluator } = task
  if (status === 'open' && isContest(task.mode) && evaluator !== null) {
    return { reason: 'waiting_for_evaluator', dueAt: contestEvaluationEnd(task) }
  }
  if (status === 'pending_approval' || (status === 'open' && isContest(task.mode))) {
    return { reason: 'waiting_for_review', dueAt: staleAtOf(task) }
  }
  return ofBoth(task)
}

/**
 * Returns the reason why requester and worker wait: for the evaluator, for the end of the appeal window, or for the
 * resolver. Returns null if the task has no such reason.
 */
function ofBoth({ status, evaluatorDeadline, appealDeadline, resolutionDeadline }: TaskSnapshot): Wait | null {
  switch (status) {
    case 'review':
      return { reason: 'waiting_for_evaluator', dueAt: evaluatorDeadline }
    case 'appealing':
      return { reason: 'waiting_for_appeal_window', dueAt: appealDeadline }
    case 'disputed':
      return { reason: 'waiting_for_settlement', dueAt: resolutionDeadline }
    default:
      return null
  }
}
