import type { Address, Hex } from 'viem'
import type { AuctionType, TaskMode } from '../rules/selectors.ts'
import type { TaskVisibility } from '../visibilities.ts'

/**
 * The normalised terms of a new task (specification, "Create task"). Amounts are USDC base units, durations and windows
 * whole seconds, addresses lower-case hex. Fields that the request does not have are absent.
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
