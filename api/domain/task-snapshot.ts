import type { Address, Hex } from 'viem'
import type { AuctionType, TaskMode } from '../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../protocol/rules/task-status.ts'
import type { Verdict } from '../../protocol/rules/verdict.ts'
import type { TaskVisibility } from '../../protocol/visibilities.ts'

/**
 * One task as the rules see it: what the read model says about it at one moment. Plain data; amounts are base units,
 * times Unix seconds, addresses and hashes lower case.
 */
export interface TaskSnapshot {
  id: Hex
  requester: Address
  mode: TaskMode | 'unknown'
  auctionType: AuctionType | 'unknown' | null
  status: TaskStatus
  reward: bigint
  /** What the market holds for it, without the stake; zero once it has ended. */
  escrow: bigint
  platformFeeBps: number
  /** Zero hash: the task has no content of its own. */
  contentHash: Hex
  createdAt: bigint
  expiryTime: bigint
  pitchDeadline: bigint | null
  bidDeadline: bigint | null
  /** Floor (dutch) or start (reverse_dutch) price; null elsewhere. */
  clockPrice: bigint | null
  /** Part of the reward that a claim puts in; zero outside claim mode. */
  stakeBps: number
  /** keccak256 of each tag at creation, in order. */
  tagHashes: readonly Hex[]
  /** Id of its list of hooks; null: none. */
  hookSet: Hex | null
  /** Who is assigned; null in contests, before, and after a forfeit. */
  worker: Address | null
  /** What the worker is paid, gross; null before, and in contests. */
  price: bigint | null
  /** How often it was opened again after a forfeit: what claim and forfeit signatures are bound to. */
  claimRound: number
  /** The requester refused the delivery on record. */
  objected: boolean
  /** The lowest bid; null before the first. */
  lowestBid: bigint | null
  /** Pitches and bids in all, repeated and replaced ones too. */
  pitchCount: number
  bidCount: number
  /** What a selection can name when only one worker pitched; null when none did, or several. */
  solePitch: SolePitch | null
  /** Deliverables committed in all, and those that stand. */
  submissionCount: number
  activeSubmissionCount: number
  /** The only worker whose submissions stand; null when there is none, or more than one. */
  soleActiveWorker: Address | null
  /** Who decides instead of the requester; null: no account, or its window passed. */
  evaluator: Address | null
  disputeResolver: Address | null
  /** What the evaluator works for, basis points and seconds; null without one. */
  evaluatorFeeBps: number | null
  evaluationWindow: bigint | null
  appealWindow: bigint | null
  /** End of review (null in contests: expiry plus the evaluation window), of appealing, and of the dispute. */
  evaluatorDeadline: bigint | null
  appealDeadline: bigint | null
  resolutionDeadline: bigint | null
  /** The evaluator's; null before, and without one. */
  verdict: Verdict | null
  /** The workers that the verdict awards, in its order; empty before, and where it names none. */
  verdictAwarded: readonly Address[]
  /** By rank; empty before completion. */
  awards: readonly AwardFacts[]
  /** What the workers the snapshot was asked for did in the task; a worker who did nothing has no entry. */
  entries: ReadonlyMap<Address, EntryFacts>
  taskVisibility: TaskVisibility
  /** Of a private task, else empty: who is assigned or awarded, and whom its requester invited. */
  participants: readonly Address[]
  viewers: readonly Address[]
  /** The market takes no new entries and no more money; exits stay open. */
  entriesPaused: boolean
}

/** The only worker who pitched for a task. */
export interface SolePitch {
  worker: Address
  /** Null: the worker pitched more than once. */
  id: Hex | null
}

/** A settled award, as far as rules ask. */
export interface AwardFacts {
  worker: Address
  rated: boolean
}

/** A worker's part in a task. */
export interface EntryFacts {
  submissionCount: number
  /** The worker pitched. */
  pitched: boolean
  /** The worker's present bid; null: none. */
  bid: bigint | null
  /** Zero once rejected. */
  activeSubmissionCount: number
  rejected: boolean
  /** The newest committed deliverable; null: none. */
  latestDeliverable: Hex | null
}

/** A committed deliverable that a request names by its id. */
export interface SubmissionFacts {
  id: Hex
  taskId: Hex
  worker: Address
  deliverable: Hex
  rejected: boolean
}

/** An anchored pitch that a request names by its id. */
export interface PitchFacts {
  id: Hex
  taskId: Hex
  worker: Address
}
