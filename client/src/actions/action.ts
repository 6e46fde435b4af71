import type { Address } from 'viem'
import { toAddress } from '../../../protocol/normalise.ts'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { actionWrites } from '../api/action-writes.ts'
import type { components } from '../api/openapi.ts'
import type { WriteAnswer, WriteInput } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { list, moment, nullable, optional, record, type Shape, text } from '../http/shape.ts'
import { taskOrNullShape } from '../http/shapes.ts'
import { toUsdc } from '../payments/usdc-text.ts'
import { ReadError } from '../reads/pages.ts'
import { readJson } from '../reads/read-json.ts'
import type { TaskDetail } from '../reads/wait-for.ts'
import { readOwnReward } from '../store/own-reward.ts'
import type { Outcome } from '../writes/outcome.ts'
import { runWrite, type WriteOptions } from '../writes/run-write.ts'
import { toTaskFacts } from '../writes/task-facts.ts'
import type { TaskFacts } from '../writes/write-spec.ts'
import { writes } from '../writes/write-table.ts'

export type ActionName = keyof typeof actionWrites
/** The role that the wallet has in a task, if the task offers the wallet an action. */
export type ActionRole = components['schemas']['WorkItem']['role']

type WriteOf<Name extends ActionName> = (typeof actionWrites)[Name]
/** The write arguments whose values the client takes from the action: `taskId`, and `worker` for `rate`. */
type Named<Name extends ActionName> = 'taskId' | (Name extends 'rate' ? 'worker' : never)
/** The arguments that the caller passes to an action: the arguments of the action's write, except those in `Named`. */
export type ActionInput<Name extends ActionName> = Omit<WriteInput<WriteOf<Name>>, Named<Name>>
/** Parameters of `run`. The parameter `input` is optional if the action requires no arguments. */
type RunArguments<Name extends ActionName> =
  object extends ActionInput<Name>
    ? [input?: ActionInput<Name>, options?: WriteOptions]
    : [input: ActionInput<Name>, options?: WriteOptions]

/** The cost of an action, calculated by the client from its own price table. Amounts are in base units of USDC. */
export interface ActionCost {
  /**
   * The maximum amount, in base units of USDC, that leaves the wallet. A stake counts toward this amount. Example:
   * `1000n`.
   */
  usdc: bigint
  /** The minimum amount that leaves the wallet. If the service may waive the fee, this amount is the stake alone. */
  least: bigint
  /** The part of `usdc` that goes into escrow. */
  stake: bigint
  /**
   * The amount that the action pays out of the task's escrow, or promises to pay out. `usdc` does not contain this
   * amount, but the wallet's limits count it.
   */
  decides: bigint
  gas: 'paid by the service'
}

/** An action that a wallet can take now on one task. */
export interface ActionOf<Name extends ActionName> {
  name: Name
  taskId: string
  /** The wallet's role in the task. */
  role: ActionRole
  /** The action's own deadline, ISO 8601; null if the action has no deadline of its own. */
  deadline: string | null
  /** The worker whom a `rate` action rates; null for other actions. */
  worker: string | null
  /** The task as the client read it for this action. The texts of the task are untrusted. */
  task: TaskDetail
  /**
   * The outcomes of earlier runs of this action that did not complete, newest last, at most five. If the task no longer
   * offers the action, the list is emptied.
   */
  earlier: readonly Unfinished[]
  /** Describes the action, its cost and its deadline in one sentence. The sentence contains no text from the market. */
  describe(): string
  /**
   * Returns the cost of the action. The cost of an action that can change the task's reward depends on the new reward:
   * pass it as `reward`.
   */
  cost(input?: { reward?: string }): ActionCost
  /**
   * Makes the action's write in the same way as the client's `write`. Never throws for a failure of the network, the
   * server or the wallet.
   */
  run(...runArguments: RunArguments<Name>): Promise<Outcome<WriteAnswer<WriteOf<Name>>>>
}
/** An action that a wallet can take now; its `name` determines the type of its arguments. */
export type Action = { [Name in ActionName]: ActionOf<Name> }[ActionName]

/** The outcome of a run that did not complete: refused, in flight or unknown. */
export type Unfinished = Exclude<Outcome<never>, { kind: 'completed' }>

/** An action that a task offers to the wallet. The client has not read the task yet. */
export interface Offer {
  taskId: string
  name: ActionName
  role: ActionRole
  worker: string | null
}

const phrases: { readonly [Name in ActionName]: string } = {
  accept: 'Accept the work of one worker and pay the reward out',
  accept_submissions: 'Divide the reward among several workers',
  appeal: 'Appeal the verdict',
  auction_accept: 'Take the task at its present price',
  bid: 'Bid a price for the task',
  cancel: 'Cancel the task',
  claim: 'Claim the task',
  evaluate: 'Give the verdict as evaluator',
  evaluator_timeout: 'Take the decision from the evaluator, whose time is over',
  finalize_verdict: 'Carry out the verdict',
  forfeit: 'End the claim of the worker, whose time is over',
  pitch: 'Pitch for the task',
  rate: 'Rate a worker who was paid',
  refund_expired: 'Take the reward of the expired task back',
  reject_submission: 'Reject the work of one worker',
  resolve_dispute: 'Resolve the dispute',
  select_winner: 'Give the task to the lowest bidder',
  select_worker: 'Give the task to the worker of a pitch',
  settle_stale: 'Pay delivered work out that was not answered in time',
  submit: 'Deliver files',
  submit_proof: 'Submit a proof',
  update: 'Change the terms of the task',
}

const actionShape = record({
  action: text,
  targetWorker: optional(text),
  eligibleAddress: optional(text),
  availableUntil: optional(moment),
})
const isOffering = nullable(
  record({ mode: (value) => taskModes.some((mode) => mode === value), pendingActions: list(actionShape) }),
)
/** The shape of a task with the fields that an action needs. Null stands for a task that the caller may not read. */
export const offeringTaskShape: Shape = {
  what: 'a task (id, status, mode, reward, pendingActions) or null',
  accepts: (value) => taskOrNullShape.accepts(value) && isOffering(value),
}

/** Reports whether this version of the client supports an action. */
export function isActionName(name: unknown): name is ActionName {
  return typeof name === 'string' && Object.hasOwn(actionWrites, name)
}

/**
 * Reads the task of an offer and builds the offered action.
 * @param wallet the acting account, lower case
 * @returns null when the task no longer offers the action to the wallet
 * @throws ReadError, StoreError; Refused when the node does not return the task's reward
 */
export async function openAction(context: ClientContext, offer: Offer, wallet: Address): Promise<Action | null> {
  const { taskId, name, worker } = offer
  const task = await readOffering(context, taskId)
  const entry = task?.pendingActions.find(
    ({ action, targetWorker, eligibleAddress }) =>
      action === name && isSame(targetWorker, worker) && (eligibleAddress == null || isSame(eligibleAddress, wallet)),
  )
  if (task === null || entry === undefined) return null
  const ownReward = await readOwnReward(context, taskId)
  const facts = await toTaskFacts(context, task, { taskId, ownReward })
  return makeAction(context, { offer, wallet, task, facts, deadline: entry.availableUntil })
}

/**
 * Reads a task together with the actions that it offers. Returns null if the caller may not read the task.
 * @throws ReadError
 */
export async function readOffering(context: ClientContext, taskId: string): Promise<TaskDetail | null> {
  const answer = await readJson(context, `/api/tasks/${encodeURIComponent(taskId)}`, {}, offeringTaskShape)
  if (!answer.ok) throw new ReadError(answer.message, answer)
  return answer.body as TaskDetail | null
}

interface Opened {
  offer: Offer
  wallet: Address
  task: TaskDetail
  facts: TaskFacts
  deadline: string | null
}

function makeAction(context: ClientContext, { offer, wallet, task, facts, deadline }: Opened): Action {
  const { name, taskId, role, worker } = offer
  const write = actionWrites[name]
  const cost: ActionOf<ActionName>['cost'] = ({ reward } = {}) => {
    const { operation, isFree } = writes[write]
    const priceFacts = { ...facts.present, reward: facts.mostReward }
    const input = reward === undefined ? {} : { reward: BigInt(reward) }
    const { fee, escrow } = operation.price.of(input, priceFacts)
    const decisions = operation.decides(input, priceFacts, { wallet })
    return {
      usdc: fee + escrow,
      least: isFree ? escrow : fee + escrow,
      stake: escrow,
      decides: decisions.reduce((sum, decision) => sum + (decision.asset === 'usdc' ? decision.amount : 0n), 0n),
      gas: 'paid by the service',
    }
  }
  const run = async (input: object = {}, options?: WriteOptions): Promise<Outcome<never>> => {
    const { account } = context
    if (account === null || toAddress(account.address) !== wallet) {
      const message = `The action is one of ${wallet}, whose key this client does not have. Nothing was sent.`
      return { kind: 'refused', key: null, isKeyUsable: true, reason: 'no_account', message, status: null }
    }
    // The compiler has checked the arguments by the name of the action.
    const request = { ...input, taskId, ...(worker !== null && { worker }) } as WriteInput<typeof write>
    return (await runWrite(context, write, request, { calledAt: Date.now(), ...options })) as Outcome<never>
  }
  const describe = () => {
    const { usdc, least, stake, decides, gas } = cost()
    const price = usdc === 0n ? 'nothing' : `${least < usdc ? 'at most ' : ''}${toUsdc(usdc)} USDC`
    const parts = [
      `${phrases[name]}${worker === null ? '' : ` (${worker})`}`,
      `task ${taskId}, ${task.mode} over ${toUsdc(task.reward)} USDC, as ${role}`,
      `costs ${price}${stake > 0n ? ' (a stake)' : ''}, gas ${gas}`,
      ...(decides > 0n ? [`decides about ${toUsdc(decides)} USDC of the task`] : []),
      deadline === null ? 'no deadline' : `until ${deadline}`,
    ]
    return `${parts.join('; ')}.`
  }
  return { name, taskId, role, deadline, worker, task, earlier: [], describe, cost, run } as Action
}

function isSame(one: unknown, other: unknown): boolean {
  return String(one ?? '').toLowerCase() === String(other ?? '').toLowerCase()
}
