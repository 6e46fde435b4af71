import type { Address } from 'viem'
import type { ActionName } from '../../../protocol/actions.ts'
import type { AuctionType, TaskMode } from '../../../protocol/rules/selectors.ts'
import type { MovingEvent, TaskStatus } from '../../../protocol/rules/task-status.ts'
import type { ActionRole } from '../pending-action.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { canActOnTask } from '../visibility.ts'

/**
 * A request for an action. `actor` is null in the first round of a payment. `now`: time of the chain head, Unix
 * seconds.
 */
export interface ActionRequest<Args> {
  actor: Address | null
  now: bigint
  args: Args
}

/** A half-open interval: allowed while `from <= now < until`, Unix seconds; null: no bound. */
export interface TimeWindow {
  from: bigint | null
  until: bigint | null
}

/** An account that may act: one wallet, or any account of the role when `address` is null. */
export interface Eligible {
  role: ActionRole
  address: Address | null
}

/** One offer of an action: its command, and its target when the task has several workers. */
export interface OfferedAs {
  command: string
  targetWorker?: Address
}

/** The rule that admits a request to act on a task. `action`: its name in refusals. */
export interface AdmissionRule<Args> {
  action: string
  modes: readonly TaskMode[]
  /** The auction types that the rule covers; absent: all. */
  auctionTypes?: readonly AuctionType[]
  /** The text of a refusal for other kinds of tasks, after "A bounty task ..."; absent: "has no <action>". */
  denial?: string
  statuses: readonly TaskStatus[]
  /** The events of which the action logs one, and which may give the task another status; absent: the task keeps its status. */
  moves?: readonly MovingEvent[]
  /** Returns the accounts that may act; each gets an offer of its own. */
  eligible(task: TaskSnapshot): readonly Eligible[]
  window(task: TaskSnapshot): TimeWindow
  /** Returns a refusal that holds for every actor and all arguments, or null. */
  blocked?(task: TaskSnapshot): Refusal | null
  /** Returns a refusal of these arguments, or null. */
  check?(task: TaskSnapshot, request: ActionRequest<Args>): Refusal | null
}

/**
 * One row of the rule table: an action in some modes. The same row lists the pending action and admits the request. So
 * an offer is admitted from its `availableAfter` on, and an admitted request succeeds on chain.
 */
export interface ActionRule<Args> extends AdmissionRule<Args> {
  action: ActionName
  /** The lowest price of the action, base units; null: free. */
  fee: bigint | null
  /** The refundable deposit besides the fee, base units; absent: none. */
  stake?(task: TaskSnapshot): bigint
  /** The seconds by which an offer precedes its window; absent: the offer begins with the window. */
  noticeSeconds?: bigint
  /** Returns the commands to show. `now`: time of the chain head, Unix seconds. */
  offeredAs(task: TaskSnapshot, now: bigint): readonly OfferedAs[]
}

/** Returns true if a rule covers tasks of this kind. */
export function isAbout<Args>(
  { modes, auctionTypes }: AdmissionRule<Args>,
  { mode, auctionType }: Pick<TaskSnapshot, 'mode' | 'auctionType'>,
): boolean {
  if (!modes.some((candidate) => candidate === mode)) return false
  if (mode !== 'auction' || auctionTypes === undefined) return true
  return auctionTypes.some((candidate) => candidate === auctionType)
}

/** Returns a window without bounds: the action is possible during the whole status. */
export function always(): TimeWindow {
  return { from: null, until: null }
}

export function untilExpiry({ expiryTime }: TaskSnapshot): TimeWindow {
  return { from: null, until: expiryTime }
}

export function fromExpiry({ expiryTime }: TaskSnapshot): TimeWindow {
  return { from: expiryTime, until: null }
}

export function requesterOnly({ requester }: TaskSnapshot): readonly Eligible[] {
  return [{ role: 'requester', address: requester }]
}

/** Returns the assigned worker, or an empty list without one. */
export function assignedWorkerOnly({ worker }: TaskSnapshot): readonly Eligible[] {
  return worker === null ? [] : [{ role: 'worker', address: worker }]
}

/** Refuses new entries while the operator has paused them; exits stay open. */
export function needsOpenEntries({ entriesPaused }: TaskSnapshot): Refusal | null {
  if (!entriesPaused) return null
  return refuse(409, 'market_paused', 'The market takes no new entries for now; try again later.')
}

/**
 * Refuses a wallet that may not see a private task, with the same answer as for a missing task. A grant does not help,
 * because viewing is not participating. An unknown actor is admitted: before a payment the wallet in the request is
 * unproven, and the answer would show who is invited. Spec, "Private access".
 */
export function mayAct(task: TaskSnapshot, actor: Address | null): Refusal | null {
  return actor === null || canActOnTask(task, actor) ? null : noSuchTask()
}

/** Returns the refusal for a task that is missing or invisible to the caller. */
export function noSuchTask(): Refusal {
  return refuse(404, 'task_not_found', 'There is no such task.')
}

/** Refuses an evaluator or resolver as a worker of the task that they judge. */
export function mayEnter({ evaluator, disputeResolver }: TaskSnapshot, worker: Address): Refusal | null {
  if (worker !== evaluator && worker !== disputeResolver) return null
  return refuse(403, 'judge_cannot_enter', 'Who judges a task cannot enter it.', { field: 'workerAddress' })
}

/** Refuses like `mayEnter` a payer who becomes the worker; no field of the request names the worker. */
export function payerMayEnter(task: TaskSnapshot, payer: Address | null): Refusal | null {
  const barred = payer === null ? null : mayEnter(task, payer)
  if (barred === null) return null
  const { field: _, ...refusal } = barred
  return refusal
}

/** Refuses a bid by the requester: it would displace the bids of others. */
export function refuseOwnAuction({ requester }: TaskSnapshot, payer: Address | null): Refusal | null {
  if (payer !== requester) return null
  return refuse(403, 'own_task', 'A requester cannot bid in its own auction, nor take its price.')
}

/** Refuses a worker whom the requester rejected. */
export function needsNotRejected({ entries }: TaskSnapshot, worker: Address): Refusal | null {
  if (entries.get(worker)?.rejected !== true) return null
  return refuse(409, 'worker_rejected', 'The requester rejected this worker: it cannot submit to this task again.')
}

/** Requires that the payer of a worker's write is the worker. */
export function needsWorkerAsPayer(actor: Address | null, worker: Address): Refusal | null {
  if (actor === null || actor === worker) return null
  return refuse(403, 'payer_mismatch', `The payer ${actor} must be the worker ${worker}; nothing was charged.`, {
    payerMismatch: true,
    field: 'workerAddress',
  })
}

/** Requires an active submission, and that no evaluator decides over it. */
export function needsRequestersDecision({ activeSubmissionCount, evaluator }: TaskSnapshot): Refusal | null {
  if (evaluator !== null) {
    return refuse(409, 'evaluator_decides', `The evaluator ${evaluator} decides over this task's submissions.`)
  }
  if (activeSubmissionCount > 0) return null
  return refuse(409, 'no_active_submission', 'The task has no submission that stands.')
}

/** Requires an evaluator, for actions of the evaluator and for the timeout. */
export function needsEvaluator({ evaluator }: TaskSnapshot): Refusal | null {
  return evaluator === null ? refuse(409, 'no_evaluator', 'The task has no evaluator.') : null
}

/** Requires for an exit of the requester that no submission waits for an answer. */
export function needsNoActiveSubmission({ activeSubmissionCount }: TaskSnapshot): Refusal | null {
  if (activeSubmissionCount === 0) return null
  return refuse(
    409,
    'active_submissions_exist',
    `${activeSubmissionCount} submissions stand: accept a winner or reject every worker first.`,
  )
}

/** Requires an active submission of the worker. */
export function needsActiveEntry(task: TaskSnapshot, worker: Address, field: string): Refusal | null {
  if ((task.entries.get(worker)?.activeSubmissionCount ?? 0) > 0) return null
  return refuse(409, 'no_active_submission', `${worker} has no submission that stands in this task.`, { field })
}

/** Returns the only active worker's address, or the placeholder `<worker>`. */
export function workerPlaceholder({ soleActiveWorker }: TaskSnapshot): string {
  return soleActiveWorker ?? '<worker>'
}
