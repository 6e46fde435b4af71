import type { Address } from 'viem'
import type { ActionName } from '../../../protocol/actions.ts'
import type { AuctionType, TaskMode } from '../../../protocol/rules/selectors.ts'
import type { MovingEvent, TaskStatus } from '../../../protocol/rules/task-status.ts'
import type { ActionRole } from '../pending-action.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { canActOnTask } from '../visibility.ts'

/**
 * A request for an action. `actor` is null if the request has no payment yet, so the payer is unknown. `now` is the
 * time of the latest block in Unix seconds.
 */
export interface ActionRequest<Args> {
  actor: Address | null
  now: bigint
  args: Args
}

/**
 * The time in which an action is allowed: `from <= now < until`, in Unix seconds. A null `from` means no beginning, and
 * a null `until` means no end.
 */
export interface TimeWindow {
  from: bigint | null
  until: bigint | null
}

/**
 * The accounts that may act in a role. If `address` is not null, only this wallet may act. If `address` is null, any
 * account may act.
 */
export interface Eligible {
  role: ActionRole
  address: Address | null
}

/** A command by which an action is offered. `targetWorker` is set if the action is offered once for each worker. */
export interface OfferedAs {
  command: string
  targetWorker?: Address
}

/**
 * The rule that allows or refuses a request to act on a task. `action` is the name of the action in the messages of
 * refusals.
 */
export interface AdmissionRule<Args> {
  action: string
  modes: readonly TaskMode[]
  /** The auction types to which the rule applies. If absent, the rule applies to all auction types. */
  auctionTypes?: readonly AuctionType[]
  /**
   * The end of the sentence that refuses the action on a kind of task that does not have the action. The beginning of
   * the sentence is the kind, such as "A bounty task". Default: "has no <action>". Example: `takes no bids` gives the
   * sentence "A bounty task takes no bids."
   */
  denial?: string
  statuses: readonly TaskStatus[]
  /**
   * The events by which the action may change the task's status. Each write of the action logs exactly one of the
   * events. Absent if the action does not change the status.
   */
  moves?: readonly MovingEvent[]
  /** Returns the accounts that may take the action. The action is offered separately for each entry of the list. */
  eligible(task: TaskSnapshot): readonly Eligible[]
  window(task: TaskSnapshot): TimeWindow
  /** Returns the refusal that applies to every actor and to all arguments, or null. */
  blocked?(task: TaskSnapshot): Refusal | null
  /** Returns the refusal of the arguments of the request, or null if the arguments are allowed. */
  check?(task: TaskSnapshot, request: ActionRequest<Args>): Refusal | null
}

/**
 * One row of the rule table: the rule of one action in some task modes. Both the pending actions of a task and the
 * checks of requests follow from the rule. They therefore agree: a request is allowed from the time `availableAfter` of
 * the pending action. An allowed request succeeds on chain.
 */
export interface ActionRule<Args> extends AdmissionRule<Args> {
  action: ActionName
  /** The lowest price of the action in USDC base units; null if the action is free. */
  fee: bigint | null
  /**
   * Returns the refundable deposit in base units of USDC, which is paid in addition to the fee. Absent if the action
   * has no deposit.
   */
  stake?(task: TaskSnapshot): bigint
  /**
   * The number of seconds by which the action is offered before its window opens. If absent, the action is offered only
   * within the window.
   */
  noticeSeconds?: bigint
  /** Returns the commands by which the action is offered. `now` is the time of the latest block in Unix seconds. */
  offeredAs(task: TaskSnapshot, now: bigint): readonly OfferedAs[]
}

/** Returns true if the rule applies to tasks of this mode and auction type. */
export function isAbout<Args>(
  { modes, auctionTypes }: AdmissionRule<Args>,
  { mode, auctionType }: Pick<TaskSnapshot, 'mode' | 'auctionType'>,
): boolean {
  if (!modes.some((candidate) => candidate === mode)) return false
  if (mode !== 'auction' || auctionTypes === undefined) return true
  return auctionTypes.some((candidate) => candidate === auctionType)
}

/** Returns a window without bounds: the action is possible as long as the task has an allowed status. */
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

/** Returns the assigned worker as the only eligible account, or an empty list if the task has no worker. */
export function assignedWorkerOnly({ worker }: TaskSnapshot): readonly Eligible[] {
  return worker === null ? [] : [{ role: 'worker', address: worker }]
}

/**
 * Refuses an entry (a claim, a pitch, a bid or the acceptance of a clock price) while the operator has paused entries.
 * Exits such as refunds remain possible.
 */
export function needsOpenEntries({ entriesPaused }: TaskSnapshot): Refusal | null {
  if (!entriesPaused) return null
  return refuse(409, 'market_paused', 'The market takes no new entries for now; try again later.')
}

/**
 * Refuses a wallet that may not act on a private task. The refusal is the same as for a task that does not exist. An
 * access grant gives no right to act. A null actor is allowed. See the specification, "Private access".
 */
export function mayAct(task: TaskSnapshot, actor: Address | null): Refusal | null {
  // Before a payment, the wallet in the request is unproven. A refusal would disclose who is invited.
  return actor === null || canActOnTask(task, actor) ? null : noSuchTask()
}

/**
 * Returns the refusal 404 for a task that does not exist or is hidden from the caller. The refusal is the same in both
 * cases.
 */
export function noSuchTask(): Refusal {
  return refuse(404, 'task_not_found', 'There is no such task.')
}

/** Refuses the task's evaluator or resolver as a worker of the same task. */
export function mayEnter({ evaluator, disputeResolver }: TaskSnapshot, worker: Address): Refusal | null {
  if (worker !== evaluator && worker !== disputeResolver) return null
  return refuse(403, 'judge_cannot_enter', 'Who judges a task cannot enter it.', { field: 'workerAddress' })
}

/**
 * Refuses a payer who would become the worker of a task that the payer judges. Unlike the refusal of `mayEnter`, this
 * refusal names no request field, because no field of the request contains the payer.
 */
export function payerMayEnter(task: TaskSnapshot, payer: Address | null): Refusal | null {
  const entryRefusal = payer === null ? null : mayEnter(task, payer)
  if (entryRefusal === null) return null
  const { field: _, ...refusal } = entryRefusal
  return refusal
}

/** Refuses a bid by the task's requester, because the requester's bid would displace the bids of others. */
export function refuseOwnAuction({ requester }: TaskSnapshot, payer: Address | null): Refusal | null {
  if (payer !== requester) return null
  return refuse(403, 'own_task', 'A requester cannot bid in its own auction, nor take its price.')
}

/** Refuses a worker if the requester rejected the worker's submissions to this task. */
export function needsNotRejected({ entries }: TaskSnapshot, worker: Address): Refusal | null {
  if (entries.get(worker)?.rejected !== true) return null
  return refuse(409, 'worker_rejected', 'The requester rejected this worker: it cannot submit to this task again.')
}

/** Requires that the payer or signer of a write is the worker that the write names. */
export function needsWorkerAsPayer(actor: Address | null, worker: Address): Refusal | null {
  if (actor === null || actor === worker) return null
  return refuse(403, 'payer_mismatch', `The payer ${actor} must be the worker ${worker}; nothing was charged.`, {
    payerMismatch: true,
    field: 'workerAddress',
  })
}

/**
 * Requires that the task has an active submission (one that is not rejected) and no evaluator. Without an evaluator,
 * the requester decides over the submissions.
 */
export function needsRequestersDecision({ activeSubmissionCount, evaluator }: TaskSnapshot): Refusal | null {
  if (evaluator !== null) {
    return refuse(409, 'evaluator_decides', `The evaluator ${evaluator} decides over this task's submissions.`)
  }
  if (activeSubmissionCount > 0) return null
  return refuse(409, 'no_active_submission', 'The task has no submission that stands.')
}

/** Requires that the task has an evaluator. The rules of `evaluate` and `evaluator_timeout` use this check. */
export function needsEvaluator({ evaluator }: TaskSnapshot): Refusal | null {
  return evaluator === null ? refuse(409, 'no_evaluator', 'The task has no evaluator.') : null
}

/** Requires that no active submission waits for an answer. Exits of the requester use this check. */
export function needsNoActiveSubmission({ activeSubmissionCount }: TaskSnapshot): Refusal | null {
  if (activeSubmissionCount === 0) return null
  return refuse(
    409,
    'active_submissions_exist',
    `${activeSubmissionCount} submissions stand: accept a winner or reject every worker first.`,
  )
}

/** Requires that the worker has an active submission. `field` is the request field that names the worker. */
export function needsActiveEntry(task: TaskSnapshot, worker: Address, field: string): Refusal | null {
  if ((task.entries.get(worker)?.activeSubmissionCount ?? 0) > 0) return null
  return refuse(409, 'no_active_submission', `${worker} has no submission that stands in this task.`, { field })
}

/** Returns the address of the only worker with active submissions, or `<worker>` as a placeholder in a command. */
export function workerPlaceholder({ soleActiveWorker }: TaskSnapshot): string {
  return soleActiveWorker ?? '<worker>'
}
