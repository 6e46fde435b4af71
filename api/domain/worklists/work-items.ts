import { findRule } from '../actions/action-rules.ts'
import type { PendingAction } from '../pending-action.ts'
import { listPendingActions } from '../pending-actions.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { nextTurnAfter } from '../view-interval.ts'
import { canActOnTask } from '../visibility.ts'
import type { WalletPart } from './wallet-part.ts'
import { intentOfAction, type WorkIntent, type WorkRole, workIntents, workRoles } from './work-intents.ts'

export const workPriorities = ['urgent', 'required', 'follow_up'] as const
export type WorkPriority = (typeof workPriorities)[number]

/**
 * The work of one wallet in one task, in one role and for one intent. Example: in the role `requester`, for the intent
 * `review_work`. Times are in Unix seconds.
 */
export interface WorkItem {
  role: WorkRole
  intent: WorkIntent
  /** The actions that are possible now. At least one action is possible. */
  actions: readonly PendingAction[]
  priority: WorkPriority
  dueAt: bigint | null
  /** The number of rated workers, and the number of workers to rate. Null if the intent is not `rate_workers`. */
  progress: { completed: number; total: number } | null
}

/** An action is urgent if it ends within this number of seconds: 24 hours. */
const URGENT_SECONDS = 24n * 3600n

/**
 * Returns the work of a wallet in a task at `now`, the time of the latest block in Unix seconds. There is one item
 * for each pair of a role and an intent for which the wallet can take an action now. See the interface specification,
 * "Agents, inbox, action queue".
 */
export function listWorkItems(task: TaskSnapshot, part: WalletPart, now: bigint): WorkItem[] {
  const offers = listPendingActions(task, now).filter(
    ({ role, availableAfter }) =>
      (availableAfter === null || availableAfter <= now) && (role === 'anyone' || canActOnTask(task, part.address)),
  )
  return workRoles.flatMap((role) => {
    const roleOffers = offers.filter((offer) => isWorkOf(role, offer, task, part))
    if (roleOffers.length === 0) return []
    return workIntents.flatMap((intent) => {
      const actions = withoutTwins(roleOffers.filter(({ action }) => intentOfAction[action]?.intent === intent))
      return actions.length === 0 ? [] : [toItem(task, { role, intent, actions }, now)]
    })
  })
}

/**
 * Returns the next time, in Unix seconds, at which the action queue may change because of this task. At this time, a
 * pending action or the priority of a pending action may change. Returns null if no later change by time is possible.
 */
export function nextQueueChangeAfter(task: TaskSnapshot, now: bigint): bigint | null {
  const turn = nextTurnAfter(task, now)
  const end = nextTurnAfter(task, now + URGENT_SECONDS)
  return end !== null && (turn === null || end - URGENT_SECONDS < turn) ? end - URGENT_SECONDS : turn
}

/**
 * Returns the time, in Unix seconds, from which any account may settle a stale task. Returns null if the task cannot
 * become stale.
 */
export function staleAtOf(task: TaskSnapshot): bigint | null {
  return findRule('settle_stale', task)?.window(task).from ?? null
}

function isWorkOf(role: WorkRole, offer: PendingAction, task: TaskSnapshot, part: WalletPart): boolean {
  if (!intentOfAction[offer.action]?.roles.includes(role)) return false
  if (role === 'worker') return isWorkOfWorker(offer, task, part)
  // Offers to evaluators and resolvers always name the wallet; offers to requesters name the requester or no address.
  return part.address === (role === 'requester' ? task.requester : offer.eligibleAddress)
}

/**
 * Returns true if a pending action is in a worker's queue. An action that names a wallet is in the queue of this
 * wallet. An action that names no wallet is in the queues of the workers whom its result affects. Example:
 * `select_winner` is in the queue of the lowest bidder.
 */
function isWorkOfWorker({ action, eligibleAddress }: PendingAction, task: TaskSnapshot, part: WalletPart): boolean {
  if (eligibleAddress !== null) return eligibleAddress === part.address
  const isAssigned = task.worker === part.address
  switch (action) {
    case 'appeal':
      return part.activeSubmissionCount > 0
    case 'settle_stale':
      return isAssigned && (task.status === 'pending_approval' || task.status === 'review')
    case 'finalize_verdict':
      return isAssigned || part.isVerdictAwarded
    case 'select_winner':
      return part.isLowestBidder
    default:
      return false
  }
}

/**
 * Removes duplicates. The list can contain an action twice: once for a named wallet, and once for any account. If
 * both are present, removes the action for any account.
 */
function withoutTwins(offers: readonly PendingAction[]): PendingAction[] {
  const isNamed = ({ action }: PendingAction) =>
    offers.some((other) => other.action === action && other.eligibleAddress !== null)
  return offers.filter((offer) => offer.eligibleAddress !== null || !isNamed(offer))
}

function toItem(task: TaskSnapshot, item: Pick<WorkItem, 'role' | 'intent' | 'actions'>, now: bigint): WorkItem {
  const ends = item.actions.flatMap(({ availableUntil }) => (availableUntil === null ? [] : [availableUntil]))
  const firstEnd = ends.reduce<bigint | null>((first, end) => (first === null || end < first ? end : first), null)
  return {
    ...item,
    priority: priorityOf(item.intent, firstEnd === null ? null : firstEnd - now),
    dueAt: firstEnd ?? (task.status === 'pending_approval' ? staleAtOf(task) : null),
    progress: item.intent === 'rate_workers' ? ratingProgressOf(task) : null,
  }
}

/** Returns the priority of work for a wallet. Money that can be recovered from an expired task is urgent at once. */
function priorityOf(intent: WorkIntent, secondsLeft: bigint | null): WorkPriority {
  if (intent === 'settle_expired' || (secondsLeft !== null && secondsLeft <= URGENT_SECONDS)) return 'urgent'
  return intent === 'rate_workers' ? 'follow_up' : 'required'
}

/**
 * Returns how many awards of the task are rated, and how many awards there are. Awards of the requester to itself are
 * not counted.
 */
function ratingProgressOf({ awards, requester }: TaskSnapshot) {
  const ratableAwards = awards.filter(({ worker }) => worker !== requester)
  return { completed: ratableAwards.filter(({ rated }) => rated).length, total: ratableAwards.length }
}
