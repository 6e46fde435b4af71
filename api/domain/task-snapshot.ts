import type { Address, Hex } from 'viem'
import type { AuctionType, TaskMode } from '../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../protocol/rules/task-status.ts'
import type { Verdict } from '../../protocol/rules/verdict.ts'
import type { TaskVisibility } from '../../protocol/visibilities.ts'

/**
 * A task as the rules read it: facts from the read model at one moment. Amounts are in base units of USDC, times in
 * Unix seconds. Addresses and hashes are in lower case.
 */
export interface TaskSnapshot {
  id: Hex
  requester: Address
  mode: TaskMode | 'unknown'
  auctionType: AuctionType | 'unknown' | null
  status: TaskStatus
  reward: bigint
  /** The amount that the market holds for the task, without the stake. Zero after the task has ended. */
  escrow: bigint
  platformFeeBps: number
  /** The hash of the task's content; the zero hash if the task has none. */
  contentHash: Hex
  createdAt: bigint
  expiryTime: bigint
  pitchDeadline: bigint | null
  bidDeadline: bigint | null
  /** The floor price of a dutch auction or the start price of a reverse dutch auction; null for other tasks. */
  clockPrice: bigint | null
  /** The part of the reward that a claim deposits as a stake, in basis points; zero outside claim mode. */
  stakeBps: number
  /** The keccak256 hash of each tag at the task's creation, in order. */
  tagHashes: readonly Hex[]
  /** The id of the task's list of hooks; null if the task has no hooks. */
  hookSet: Hex | null
  /** The assigned worker; null in contests, before an assignment, and after a forfeit. */
  worker: Address | null
  /** The gross payment of the assigned worker; null before an assignment, and in contests. */
  price: bigint | null
  /**
   * The number of times that the task was reopened after a forfeited claim. The signed messages of claims and forfeits
   * contain this number.
   */
  claimRound: number
  /** True after the requester recorded a refusal of the delivery. */
  objected: boolean
  /** The lowest bid; null before the first bid. */
  lowestBid: bigint | null
  /** The number of pitches, including further pitches of the same worker. */
  pitchCount: number
  /** The number of bids placed, including bids that a later bid replaced. */
  bidCount: number
  /** The pitch of the only worker who pitched. Null if no worker pitched, or if several workers pitched. */
  solePitch: SolePitch | null
  /** The number of deliverables committed on chain, including rejected ones. */
  submissionCount: number
  /** The number of deliverables whose worker is not rejected. */
  activeSubmissionCount: number
  /** The only worker with active submissions. Null if no worker has any, or if several workers have some. */
  soleActiveWorker: Address | null
  /**
   * The account that decides instead of the requester. Null if the task has no evaluator, or if the evaluator was
   * removed after a timeout.
   */
  evaluator: Address | null
  disputeResolver: Address | null
  /** The evaluator's fee in basis points of the reward or, in an auction, of the price; null if `evaluator` is null. */
  evaluatorFeeBps: number | null
  /** The time that the evaluator has for a verdict, in seconds; null if `evaluator` is null. */
  evaluationWindow: bigint | null
  /** The time in which a verdict can be appealed, in seconds; null if `evaluator` is null. */
  appealWindow: bigint | null
  /**
   * The end of the evaluator's time for a verdict on a delivery. Null in contests. In a contest, the evaluator's time
   * ends `evaluationWindow` seconds after the expiry.
   */
  evaluatorDeadline: bigint | null
  /** The end of the time for an appeal of the verdict. Null while there is no verdict. */
  appealDeadline: bigint | null
  /** The end of the resolver's time to decide an appeal. Null while there is no appeal. */
  resolutionDeadline: bigint | null
  /** The evaluator's verdict. Null if there is no verdict or no evaluator. */
  verdict: Verdict | null
  /**
   * The workers whom the verdict awards, in the order of the verdict. Empty if there is no verdict, or if the verdict
   * names no worker.
   */
  verdictAwarded: readonly Address[]
  /** The settled awards, ordered by rank; empty before the task is completed. */
  awards: readonly AwardFacts[]
  /** The entries of the workers for whom the snapshot was loaded. A worker without activity in the task is absent. */
  entries: ReadonlyMap<Address, EntryFacts>
  taskVisibility: TaskVisibility
  /** The assigned worker and the awarded workers of a private task; empty for other tasks. */
  participants: readonly Address[]
  /** The wallets that the requester of a private task invited. Empty for a public or unlisted task. */
  viewers: readonly Address[]
  /**
   * True while the operator has paused the market. A paused market takes no new entries and no new money for tasks.
   * Exits remain possible.
   */
  entriesPaused: boolean
  /**
   * The operations of the writes on the task that are being mined. The read model does not show these writes yet, and
   * each of them may still fail. Absent if the operations were not loaded.
   */
  beingMined?: readonly string[]
}

/** The pitch of the only worker who pitched for a task. */
export interface SolePitch {
  worker: Address
  /** The id of the pitch; null if the worker pitched more than once. */
  id: Hex | null
}

/** The facts of a settled award that the rules read. */
export interface AwardFacts {
  worker: Address
  rated: boolean
}

/** A worker's activity in a task. */
export interface EntryFacts {
  submissionCount: number
  /** True if the worker pitched. */
  pitched: boolean
  /** The worker's present bid in USDC base units; null if the worker has no bid. */
  bid: bigint | null
  /** The number of the worker's active submissions; zero after the requester rejected the worker. */
  activeSubmissionCount: number
  rejected: boolean
  /** The worker's latest committed deliverable; null if there is none. */
  latestDeliverable: Hex | null
}

/** A deliverable on chain that a request names by its id. */
export interface SubmissionFacts {
  id: Hex
  taskId: Hex
  worker: Address
  deliverable: Hex
  rejected: boolean
}

/** A pitch on chain that a request names by its id. */
export interface PitchFacts {
  id: Hex
  taskId: Hex
  worker: Address
}
