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

/** What one wallet can do now in one task, in one role and for one intent. Times in Unix seconds. */
export interface WorkItem {
  role: WorkRole
  intent: WorkIntent
  /** At least one; each is possible now. */
  actions: readonly PendingAction[]
  priority: WorkPriority
  dueAt: bigint | null
  /** How many of the workers are rated; null for other intents. */
  progress: { completed: number; total: number } | null
}

/** An action that ends sooner than this is urgent, seconds: 24 hours. */
const URGENT_SECONDS = 24n * 3600n

/**
 * The work of a wallet in a task at `now` (chain head's time, Unix seconds): what the rule table offers it, one item a
 * role and intent. Actions that are announced but not possible yet are left out. Interface, "Agents, inbox, action
 * queue".
 */
export function listWorkItems(task: TaskSnapshot, part: WalletPart, now: bigint): WorkItem[] {
  const offers = listPendingActions(task, now).filter(
    ({ role, availableAfter }) =>
      (availableAfter === null || availableAfter <= now) && (role === 'anyone' || canActOnTask(task, part.address)),
  )
  return workRoles.flatMap((role) => {
    const own = offers.filter((offer) => isWorkOf(role, offer, task, part))
    if (own.length === 0) return []
    return workIntents.flatMap((intent) => {
      const actions = withoutTwins(own.filter(({ action }) => intentOfAction[action]?.intent === intent))
      return actions.length === 0 ? [] : [toItem(task, { role, intent, actions }, now)]
    })
  })
}

/** The next time at which a queue may say something else of the task, Unix seconds: another offer, or another priority. */
export function nextQueueChangeAfter(task: TaskSnapshot, now: bigint): bigint | null {
  const turn = nextTurnAfter(task, now)
  const end = nextTurnAfter(task, now + URGENT_SECONDS)
  return end !== null && (turn === null || end - URGENT_SECONDS < turn) ? end - URGENT_SECONDS : turn
}

/** When silence may be settled without the requester, Unix seconds; null where it never is. */
export function staleAtOf(task: TaskSnapshot): bigint | null {
  return findRule('settle_stale', task)?.window(task).from ?? null
}

function isWorkOf(role: WorkRole, offer: PendingAction, task: TaskSnapshot, part: WalletPart): boolean {
  if (!intentOfAction[offer.action]?.roles.includes(role)) return false
  if (role === 'worker') return isWorkOfWorker(offer, task, part)
  // Of evaluators and resolvers every offer names the wallet; what is a requester's names the requester or any account.
  return part.address === (role === 'requester' ? task.requester : offer.eligibleAddress)
}

/** What any account may do is work for the workers it is about. */
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

/** An action that is offered to a wallet and to anyone is one action. */
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

/** Money that is not where it belongs is overdue as soon as it can be recovered. */
function priorityOf(intent: WorkIntent, secondsLeft: bigint | null): WorkPriority {
  if (intent === 'settle_expired' || (secondsLeft !== null && secondsLeft <= URGENT_SECONDS)) return 'urgent'
  return intent === 'rate_workers' ? 'follow_up' : 'required'
}

/** A requester does not rate itself. */
function ratingProgressOf({ awards, requester }: TaskSnapshot) {
  const ratable = awards.filter(({ worker }) => worker !== requester)
  return { completed: ratable.filter(({ rated }) => rated).length, total: ratable.length }
}
