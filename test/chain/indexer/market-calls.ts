import type { Address, Hex } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { type DevAccount, devActors } from '../../../scripts/chain/dev-accounts.ts'
import { type Call, encodeCall, type MarketChain } from './market-chain.ts'
import type { MarketLogs } from './market-logs.ts'
import type { Random } from './random.ts'
import { relayOpen, relayPaid, relaySigned } from './relayed-call.ts'
import type { TaskState } from './task-states.ts'

/** The data from which random calls are chosen. */
export interface Environment {
  chain: MarketChain
  random: Random
  logs: MarketLogs
  tasks: TaskState[]
  /** Time of the newest block, Unix seconds. */
  now: number
}

/** Creates one call or a sequence. */
export type Maker = (environment: Environment) => Promise<Call[]> | Call[]

/** Creates a call about a task. */
export type TaskMaker = (environment: Environment, task: TaskState) => Promise<Call[]> | Call[]

export const zeroAddress = '0x0000000000000000000000000000000000000000'

export const actors = devActors()

/** The actors' wallets: each one is requester, worker, evaluator and resolver. */
export const actorAddresses: Address[] = actors.map(({ account }) => account.address)

/** Call data of the market. */
export function market(functionName: string, args: readonly unknown[]): Hex {
  return encodeCall(taskMarketAbi, functionName, args)
}

/** Calls of the market by the account itself. */
export function direct(chain: MarketChain, from: Address, data: Hex): Call {
  return { from, to: chain.deployment.market, data }
}

/** The action fee, base units. */
const fee = 1000n

/** A call of an account, direct or relayed with its payment; of a random actor for an unknown account. */
export async function asActor(
  { chain, random }: Environment,
  account: Address,
  call: { data: Hex; escrow?: bigint },
): Promise<Call> {
  const actor = findActor(account) ?? random.pick(actors)
  if (random.chance(0.6)) return direct(chain, actor.account.address, call.data)
  const escrow = call.escrow ?? 0n
  const payment = { amount: fee + escrow, escrow, nonce: random.word() }
  return relayPaid({ chain, intentId: random.word(), actor, data: call.data }, payment)
}

/** A call with an actor's signature instead of a payment. After a reopen, claims and forfeits sign their round. */
export function asSigner(
  { chain, random }: Environment,
  account: Address,
  call: { data: Hex; verb: 'submit' | 'claim' | 'forfeit'; task: TaskState },
): Promise<Call> | Call {
  const actor = findActor(account) ?? random.pick(actors)
  if (random.chance(0.4)) return direct(chain, actor.account.address, call.data)
  const { id, view } = call.task
  const suffix = call.verb === 'submit' || view.round === 0 ? '' : `:${view.round}`
  return relaySigned(
    { chain, intentId: random.word(), actor, data: call.data },
    { verb: call.verb, taskId: id, suffix },
  )
}

/** A call that any account may make. */
export function asAnyAccount({ chain, random }: Environment, data: Hex): Call {
  return random.chance(0.5)
    ? direct(chain, random.pick(actorAddresses), data)
    : relayOpen({ chain, intentId: random.word(), data })
}

/** Workers of a contest with active submissions. */
export function listActiveWorkers(logs: MarketLogs, taskId: Hex): Address[] {
  const active = logs.submissions.filter((one) => one.taskId === taskId && one.isActive)
  return [...new Set(active.map(({ worker }) => worker))]
}

function findActor(account: Address): DevAccount | undefined {
  return actors.find((actor) => actor.account.address === account)
}
