import { ifGiven, secondsOfHours, toAddress, toAmount, toSeconds } from '../normalise.ts'
import type { AuctionType, TaskMode } from '../rules/selectors.ts'
import type { TaskVisibility } from '../visibilities.ts'
import type { TaskTerms } from './task-terms.ts'

/**
 * The terms of a new task, with the field types of the request's JSON (specification, "Create task"). Absent fields get
 * default values where a default exists.
 */
export interface TermsRequest {
  /** The reward in USDC base units. All amounts in the request are USDC base units. */
  reward: string
  /** Time from the creation to the expiry, in hours. */
  duration: number
  tags: string[]
  mode?: TaskMode | undefined
  taskVisibility?: TaskVisibility | undefined
  stakeRequired?: boolean | undefined
  /** The worker's stake in claim mode, in basis points of the reward. */
  stakeBps?: number | undefined
  /** End of pitching, in seconds after the creation. */
  pitchDeadline?: number | undefined
  /** End of bidding, in hours after the creation. */
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
 * Normalises the terms of a new task. Absent fields get defaults, times become whole seconds, and addresses become
 * lower case.
 * Example: `{ reward: '5000000', duration: 24, tags: [] }` has the mode `bounty`, a reward of 5_000_000n base units and
 * a duration of 86_400n seconds.
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
