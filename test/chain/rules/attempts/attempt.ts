import type { Address, ContractFunctionArgs, ContractFunctionName, Hex } from 'viem'
import type { taskMarketAbi } from '../../../../abis/task-market.ts'
import type { EntryFacts, TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import type { Random } from '../../indexer/random.ts'
import { wallets } from '../wallets.ts'

/** An account that attempts an action on a task, and the time (Unix seconds). */
export interface Occasion {
  task: TaskSnapshot
  actor: Address
  now: bigint
  random: Random
}

/** How an action is attempted: its arguments for the rules, and the service's call with them. */
export interface Attempts<Args> {
  /** Arguments, one of which is valid whenever the action is possible. */
  sensible(occasion: Occasion): Args[]
  /** Random arguments, often at the bounds. */
  any(occasion: Occasion): Args
  call(occasion: Occasion, args: Args): MarketCall
}

/** A function of the market with its arguments. */
export type MarketCall = { [Name in MarketFunction]: [Name, MarketArgs<Name>] }[MarketFunction]
type MarketFunction = ContractFunctionName<typeof taskMarketAbi, 'nonpayable'>
type MarketArgs<Name extends MarketFunction> = ContractFunctionArgs<typeof taskMarketAbi, 'nonpayable', Name>

/** The arguments of an action without arguments. */
export type None = Record<never, never>

/** How an action without arguments is attempted. */
export function withoutArgs(toCall: (task: TaskSnapshot) => MarketCall): Attempts<None> {
  return { sensible: () => [{}], any: () => ({}), call: ({ task }) => toCall(task) }
}

/** Workers with active submissions, in a contest or as the assigned worker. */
export function standingWorkers({ entries }: TaskSnapshot): Address[] {
  return listEntries(entries, ({ activeSubmissionCount }) => activeSubmissionCount > 0)
}

/** Workers with this kind of entry in the task. */
export function listEntries(entries: TaskSnapshot['entries'], isSuch: (entry: EntryFacts) => boolean): Address[] {
  return [...entries].filter(([, entry]) => isSuch(entry)).map(([worker]) => worker)
}

/** Any account; often the assigned worker, if there is one. */
export function someWorker({ task, random }: Occasion): Address {
  return task.worker !== null && random.chance(0.4) ? task.worker : random.pick(wallets)
}

/** The deliverable that the service would accept; a random one for a worker without submissions. */
export function latestOf({ entries }: TaskSnapshot, worker: Address): Hex {
  return entries.get(worker)?.latestDeliverable ?? `0x${'99'.repeat(32)}`
}
