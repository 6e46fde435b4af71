import { ifGiven, secondsOfHours, toAddress, toAmount, toSeconds } from '../normalise.ts'
import type { AuctionType, TaskMode } from '../rules/selectors.ts'
import type { TaskVisibility } from '../visibilities.ts'
import type { TaskTerms } from './task-terms.ts'

/** The terms of a new task as JSON has them; absent: the default, or not given. Spec, "Create task". */
export interface TermsRequest {
  /** USDC base units, as all amounts. */
  reward: string
  /** Hours. */
  duration: number
  tags: string[]
  mode?: TaskMode | undefined
  taskVisibility?: TaskVisibility | undefined
  stakeRequired?: boolean | undefined
  /** Basis points of the reward. */
  stakeBps?: number | undefined
  /** Seconds from now. */
  pitchDeadline?: number | undefined
  /** Hours from now. */
  bidDeadline?: number | undefined
  maxPrice?: string | undefined
  auctionType?: AuctionType | undefined
  auctionStartPrice?: string | undefined
  auctionFloorPrice?: string | undefined
  hookContracts?: readonly string[] | undefined
  evaluator?: string | undefined
  evaluatorFeeBps?: number | undefined
  evaluationWindowHours?: number | undefined
  appealWindowHours?: number | undefined
  disputeResolver?: string | undefined
}

/**
 * Normalises the terms of a creation: defaults, base units, whole seconds and lower case.
 * Example: `{ reward: '5000000', duration: 24, tags: [] }` has the mode `bounty`, 5_000_000n and 86_400n.
 */
export function normaliseTerms(request: TermsRequest): TaskTerms & { tags: string[] } {
  return {
    reward: toAmount(request.reward),
    duration: secondsOfHours(request.duration),
    tags: request.tags,
    mode: request.mode ?? 'bounty',
    taskVisibility: request.taskVisibility ?? 'public',
    stakeRequired: request.stakeRequired ?? false,
    stakeBps: request.stakeBps ?? 0,
    pitchDeadline: ifGiven(request.pitchDeadline, (seconds) => BigInt(toSeconds(seconds, 'seconds'))),
    bidDeadline: ifGiven(request.bidDeadline, secondsOfHours),
    maxPrice: ifGiven(request.maxPrice, toAmount),
    auctionType: request.auctionType,
    auctionStartPrice: ifGiven(request.auctionStartPrice, toAmount),
    auctionFloorPrice: ifGiven(request.auctionFloorPrice, toAmount),
    hookContracts: request.hookContracts?.map(toAddress),
    evaluator: ifGiven(request.evaluator, toAddress),
    evaluatorFeeBps: request.evaluatorFeeBps ?? 0,
    evaluationWindowHours: ifGiven(request.evaluationWindowHours, secondsOfHours),
    appealWindowHours: ifGiven(request.appealWindowHours, secondsOfHours),
    disputeResolver: ifGiven(request.disputeResolver, toAddress),
  }
}
