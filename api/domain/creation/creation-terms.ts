import type { Address, Hex } from 'viem'
import type { TaskVisibility } from '../../../protocol/visibilities.ts'
import type { AuctionType, TaskMode } from '../../../src/rules/selectors.ts'

/** What of the market bears on the terms of a new task. */
export interface TermsMarket {
  /** What it takes of the awards of a new task, basis points. */
  platformFeeBps: number
  /** The hooks every new task runs with, before its own. */
  defaultHooks: readonly Address[]
}

/** The market a task is created in, as it is now. */
export interface CreationMarket extends TermsMarket {
  /** It takes no new tasks for now. */
  entriesPaused: boolean
}

/**
 * What of a new task its contract decides about, under the names of the request. Amounts are base units, durations and
 * windows whole seconds, addresses lower case; absent: not given. Spec, "Create task".
 */
export interface TaskTerms {
  reward: bigint
  duration: bigint
  mode: TaskMode
  taskVisibility: TaskVisibility
  stakeRequired: boolean
  stakeBps: number
  pitchDeadline?: bigint | undefined
  bidDeadline?: bigint | undefined
  maxPrice?: bigint | undefined
  auctionType?: AuctionType | undefined
  auctionStartPrice?: bigint | undefined
  auctionFloorPrice?: bigint | undefined
  hookContract?: Address | undefined
  hookContracts?: Address[] | undefined
  hookData?: Hex | undefined
  evaluator?: Address | undefined
  evaluatorFeeBps: number
  evaluationWindowHours?: bigint | undefined
  appealWindowHours?: bigint | undefined
  disputeResolver?: Address | undefined
}

/** What a requester asks for when creating a task: its terms, and what the service alone keeps of it. */
export interface CreationTerms extends TaskTerms {
  taskDropId?: string | undefined
  taskDropCreate?: object | undefined
  allowedViewers?: Address[] | undefined
  accessPassword?: string | undefined
}
