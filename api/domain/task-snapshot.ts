import type { Address, Hex } from 'viem'
import type { AuctionType, TaskMode } from '../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../protocol/rules/task-status.ts'
import type { Verdict } from '../../protocol/rules/verdict.ts'
import type { TaskVisibility } from '../../protocol/visibilities.ts'

/**
 * One task as the rules read it: the read model's facts at one moment. Plain data; amounts in base units, times in Unix
 * seconds, addresses and hashes in lower case.
 */
export interface TaskSnapshot {
  id: Hex
  requester: Address
  mode: TaskMode | 'unknown'
  auctionType: AuctionType | 'unknown' | null
  status: TaskStatus
  reward: bigint
  /** The amount that the market holds for the task, without the stake; zero once it has ended. */
  escrow: bigint
  platformFeeBps: number
  /** The hash of the task's content; the zero hash: none. */
  contentHash: Hex
  createdAt: bigint
  expiryTime: bigint
  pitchDeadline: bigint | null
  bidDeadline: bigint | null
  /** The floor (dutch) or start (reverse_dutch) price; null in other tasks. */
  clockPrice: bigint | null
  /** The part of the reward that a claim deposits; zero outside claim mode. */
  stakeBps: number
  /** keccak256 of each tag at creation, in order. */
  tagHashes: readonly Hex[]
  /** The id of the task's list of hooks; null: none. */
  hookSet: Hex | null
  /** The assigned worker; null in contests, before an assignment, and after a forfeit. */
  worker: Address | null
  /** The gross pay of the worker; null before an assignment, and in contests. */
  price: bigint | null
  /** The number of reopenings after a forfeit; claim and forfeit signatures contain it. */
  claimRound: number
  /** True once the requester refused the delivery on record. */
  objected: boolean
  /** The lowest bid; null before the first. */
  lowestBid: bigint | null
  /** The numbers of pitches and bids, with repeated and replaced ones. */
  pitchCount: number
  bidCount: number
  /** The pitch of the only worker who pitched; null with none or several. */
  solePitch: SolePitch | null
  /** The numbers of committed and of active deliverables. */
  submissionCount: number
  activeSubmissionCount: number
  /** The only worker with active submissions; null with none or several. */
  soleActiveWorker: Address | null
  /** The account that decides instead of the requester; null without one, or after its window. */
  evaluator: Address | null
  disputeResolver: Address | null
  /** The evaluator's terms, basis points and seconds; null without one. */
  evaluatorFeeBps: number | null
  evaluationWindow: bigint | null
  appealWindow: bigint | null
  /** The ends of review (null in contests: expiry plus the evaluation window), of appealing, and of the dispute. */
  evaluatorDeadline: bigint | null
  appealDeadline: bigint | null
  resolutionDeadline: bigint | null
  /** The evaluator's verdict; null before it, and without an evaluator. */
  verdict: Verdict | null
  /** The workers whom the verdict awards, in its order; empty before it, and where it names none. */
  verdictAwarded: readonly Address[]
  /** The awards by rank; empty before completion. */
  awards: readonly AwardFacts[]
  /** The entries of the workers that the snapshot was loaded for; a worker without activity has none. */
  entries: ReadonlyMap<Address, EntryFacts>
  taskVisibility: TaskVisibility
  /** The assigned or awarded, and the invited wallets of a private task; empty for other tasks. */
  participants: readonly Address[]
  viewers: readonly Address[]
  /** True while the market takes no new entries and no more money; exits stay open. */
  entriesPaused: boolean
  /**
   * Operations of the writes of this task that are sent and that the rows do not show yet; absent: not asked for. Each of them
   * may still fail.
   */
  beingMined?: readonly string[]
}

/** The pitch of the only worker who pitched for a task. */
export interface SolePitch {
  worker: Address
  /** The id of the pitch; null: the worker pitched more than once. */
  id: Hex | null
}

/** The facts of a settled award that rules read. */
export interface AwardFacts {
  worker: Address
  rated: boolean
}

/** A worker's entry in a task. */
export interface EntryFacts {
  submissionCount: number
  /** True if the worker pitched. */
  pitched: boolean
  /** The worker's present bid; null: none. */
  bid: bigint | null
  /** The number of active submissions; zero once rejected. */
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
