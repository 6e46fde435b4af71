import type { Address, ContractFunctionArgs, ContractFunctionName, Hex } from 'viem'
import type { taskMarketAbi } from '../../../../abis/task-market.ts'
import type { EntryFacts, TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import type { Random } from '../../indexer/random.ts'
import { wallets } from '../wallets.ts'

/** Somebody who may want to act on a task, and when (Unix seconds). */
export interface Occasion {
  task: TaskSnapshot
  actor: Address
  now: bigint
  random: Random
}

/** How an action is tried: its arguments as the rules see them, and the call the service would make with them. */
export interface Attempts<Args> {
  /** Arguments of which one is right whenever any are. */
  sensible(occasion: Occasion): Args[]
  /** Any, at the bounds more often than chance has it. */
  any(occasion: Occasion): Args
  call(occasion: Occasion, args: Args): MarketCall
}

/** A function of the market with its arguments. */
export type MarketCall = { [Name in MarketFunction]: [Name, MarketArgs<Name>] }[MarketFunction]
type MarketFunction = ContractFunctionName<typeof taskMarketAbi, 'nonpayable'>
type MarketArgs<Name extends MarketFunction> = ContractFunctionArgs<typeof taskMarketAbi, 'nonpayable', Name>

/** The arguments of an action that takes none. */
export type None = Record<never, never>

/** How an action without arguments is tried. */
export function withoutArgs(toCall: (task: TaskSnapshot) => MarketCall): Attempts<None> {
  return { sensible: () => [{}], any: () => ({}), call: ({ task }) => toCall(task) }
}

/** Workers whose submissions stand, in a contest or as the assigned one. */
export function standingWorkers({ entries }: TaskSnapshot): Address[] {
  return listEntries(entries, ({ activeSubmissionCount }) => activeSubmissionCount > 0)
}

/** Workers whose part in the task is such. */
export function listEntries(entries: TaskSnapshot['entries'], isSuch: (entry: EntryFacts) => boolean): Address[] {
  return [...entries].filter(([, entry]) => isSuch(entry)).map(([worker]) => worker)
}

/** Anybody; where one worker is assigned, often that one. */
export function someWorker({ task, random }: Occasion): Address {
  return task.worker !== null && random.chance(0.4) ? task.worker : random.pick(wallets)
}

/** What the service would pay for; a worker without any gets something that nobody committed. */
export function latestOf({ entries }: TaskSnapshot, worker: Address): Hex {
  return entries.get(worker)?.latestDeliverable ?? `0x${'99'.repeat(32)}`
}
