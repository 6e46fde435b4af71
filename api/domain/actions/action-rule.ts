import type { Address } from 'viem'
import type { ActionName } from '../../../protocol/actions.ts'
import type { AuctionType, TaskMode } from '../../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../../protocol/rules/task-status.ts'
import type { ActionRole } from '../pending-action.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { canActOnTask } from '../visibility.ts'

/**
 * A request for an action. The actor is unknown in the first round of a payment. `now`: chain head's time, seconds.
 */
export interface ActionRequest<Args> {
  actor: Address | null
  now: bigint
  args: Args
}

/** Allowed while `from <= now < until`, Unix seconds; null: no bound. */
export interface TimeWindow {
  from: bigint | null
  until: bigint | null
}

/** Who may act: one wallet, or any account of the role when there is no address. */
export interface Eligible {
  role: ActionRole
  address: Address | null
}

/** One way an action is offered: its command, and whom it is about when it is about a worker of several. */
export interface OfferedAs {
  command: string
  targetWorker?: Address
}

/** What admits a request to act on a task. `action`: the name it goes by in refusals. */
export interface AdmissionRule<Args> {
  action: string
  modes: readonly TaskMode[]
  /** Of auctions these subtypes only; absent: all of them. */
  auctionTypes?: readonly AuctionType[]
  /** What a task of another kind says of itself, after "A bounty task ..."; "has no <action>" unless given. */
  denial?: string
  statuses: readonly TaskStatus[]
  /** Admits any of them; each is offered on its own. */
  eligible(task: TaskSnapshot): readonly Eligible[]
  window(task: TaskSnapshot): TimeWindow
  /** What else must hold of the task, for any actor and arguments. */
  blocked?(task: TaskSnapshot): Refusal | null
  /** What must hold of the arguments. */
  check?(task: TaskSnapshot, request: ActionRequest<Args>): Refusal | null
}

/**
 * One row of the rule table: an action in some modes. The same row lists the pending action and admits the request,
 * so an offer is admitted from its `availableAfter` on, and what is admitted succeeds on chain.
 */
export interface ActionRule<Args> extends AdmissionRule<Args> {
  action: ActionName
  /** The least it costs, base units; null: free. */
  fee: bigint | null
  /** What it puts in besides and may get back, base units; absent: nothing. */
  stake?(task: TaskSnapshot): bigint
  /** How long before its window begins it is offered, seconds; absent: from the beginning on. */
  noticeSeconds?: bigint
  /** `now`: chain head's time, Unix seconds. */
  offeredAs(task: TaskSnapshot, now: bigint): readonly OfferedAs[]
}

/** Whether a rule is about tasks of this kind. */
export function isAbout<Args>(
  { modes, auctionTypes }: AdmissionRule<Args>,
  { mode, auctionType }: Pick<TaskSnapshot, 'mode' | 'auctionType'>,
): boolean {
  if (!modes.some((candidate) => candidate === mode)) return false
  if (mode !== 'auction' || auctionTypes === undefined) return true
  return auctionTypes.some((candidate) => candidate === auctionType)
}

/** The whole life of a status. */
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

/** The one worker a task is assigned to. */
export function assignedWorkerOnly({ worker }: TaskSnapshot): readonly Eligible[] {
  return worker === null ? [] : [{ role: 'worker', address: worker }]
}

/** The operator may stop entries for a while; exits stay open. */
export function needsOpenEntries({ entriesPaused }: TaskSnapshot): Refusal | null {
  if (!entriesPaused) return null
  return refuse(409, 'market_paused', 'The market takes no new entries for now; try again later.')
}

/**
 * Who may not see a private task may not act on it, and is told no more than of a task that is not there; a grant does
 * not help, for viewing is not participating. Before a payment the actor is unknown, and a wallet that a request only
 * names is not asked about: the answer would tell who is invited. Spec, "Private access".
 */
export function mayAct(task: TaskSnapshot, actor: Address | null): Refusal | null {
  return actor === null || canActOnTask(task, actor) ? null : noSuchTask()
}

/** The one answer about a task that is not there, or not for this wallet. */
export function noSuchTask(): Refusal {
  return refuse(404, 'task_not_found', 'There is no such task.')
}

/** Who judges a task does not enter it. */
export function mayEnter({ evaluator, disputeResolver }: TaskSnapshot, worker: Address): Refusal | null {
  if (worker !== evaluator && worker !== disputeResolver) return null
  return refuse(403, 'judge_cannot_enter', 'Who judges a task cannot enter it.', { field: 'workerAddress' })
}

/** The same of a payer who is the worker by paying: no field of the request names the worker. */
export function payerMayEnter(task: TaskSnapshot, payer: Address | null): Refusal | null {
  const barred = payer === null ? null : mayEnter(task, payer)
  if (barred === null) return null
  const { field: _, ...refusal } = barred
  return refusal
}

/** A bid of the requester would take the place of the bids that others placed. */
export function refuseOwnAuction({ requester }: TaskSnapshot, payer: Address | null): Refusal | null {
  if (payer !== requester) return null
  return refuse(403, 'own_task', 'A requester cannot bid in its own auction, nor take its price.')
}

/** A worker the requester rejected does not enter the task again. */
export function needsNotRejected({ entries }: TaskSnapshot, worker: Address): Refusal | null {
  if (entries.get(worker)?.rejected !== true) return null
  return refuse(409, 'worker_rejected', 'The requester rejected this worker: it cannot submit to this task again.')
}

/** The payer of a worker's write must be the worker. */
export function needsWorkerAsPayer(actor: Address | null, worker: Address): Refusal | null {
  if (actor === null || actor === worker) return null
  return refuse(403, 'payer_mismatch', `The payer ${actor} must be the worker ${worker}; nothing was charged.`, {
    payerMismatch: true,
    field: 'workerAddress',
  })
}

/** A requester's decision over submissions: there must be one, and no evaluator to decide. */
export function needsRequestersDecision({ activeSubmissionCount, evaluator }: TaskSnapshot): Refusal | null {
  if (evaluator !== null) {
    return refuse(409, 'evaluator_decides', `The evaluator ${evaluator} decides over this task's submissions.`)
  }
  if (activeSubmissionCount > 0) return null
  return refuse(409, 'no_active_submission', 'The task has no submission that stands.')
}

/** What only an evaluator does, or fails to do: there must be one. */
export function needsEvaluator({ evaluator }: TaskSnapshot): Refusal | null {
  return evaluator === null ? refuse(409, 'no_evaluator', 'The task has no evaluator.') : null
}

/** An exit of the requester: no worker may wait for an answer to a submission. */
export function needsNoActiveSubmission({ activeSubmissionCount }: TaskSnapshot): Refusal | null {
  if (activeSubmissionCount === 0) return null
  return refuse(
    409,
    'active_submissions_exist',
    `${activeSubmissionCount} submissions stand: accept a winner or reject every worker first.`,
  )
}

/** The worker's submissions must stand. */
export function needsActiveEntry(task: TaskSnapshot, worker: Address, field: string): Refusal | null {
  if ((task.entries.get(worker)?.activeSubmissionCount ?? 0) > 0) return null
  return refuse(409, 'no_active_submission', `${worker} has no submission that stands in this task.`, { field })
}

/** `<worker>`, or the worker when only one is possible. */
export function workerPlaceholder({ soleActiveWorker }: TaskSnapshot): string {
  return soleActiveWorker ?? '<worker>'
}
