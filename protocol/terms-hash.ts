import { type Address, concat, encodeAbiParameters, type Hex, keccak256, zeroAddress, zeroHash } from 'viem'
import { type AuctionType, type TaskMode, toAuctionSelector, toModeSelector } from './rules/selectors.ts'

const NO_SELECTOR = '0x00000000'

/**
 * The current terms of a task. Amounts are USDC base units, times are Unix seconds, windows are seconds. A term that
 * the task does not have is null.
 */
export interface TermsFacts {
  mode: TaskMode | 'unknown'
  auctionType: AuctionType | 'unknown' | null
  reward: bigint
  createdAt: bigint
  expiryTime: bigint
  pitchDeadline: bigint | null
  bidDeadline: bigint | null
  /**
   * Floor price of a dutch auction or start price of a reverse dutch auction, USDC base units; null for other tasks.
   */
  clockPrice: bigint | null
  stakeBps: number
  /** keccak256 of each tag at creation, in the order of the tags. */
  tagHashes: readonly Hex[]
  evaluator: Address | null
  disputeResolver: Address | null
  evaluatorFeeBps: number | null
  evaluationWindow: bigint | null
  appealWindow: bigint | null
  /** Id of the task's list of hooks; null if the task has no hooks. */
  hookSet: Hex | null
}

/**
 * Computes `taskTermsHash`, the market's hash of a task's current terms without the texts. Returns null for an unknown
 * mode or auction type. A claim contains the hash, so a claim fails after a change of the terms.
 *
 * Example: a change of the reward by one base unit changes the hash; a change of the description does not.
 */
export function termsHashOf(task: TermsFacts): Hex | null {
  const { mode, auctionType, createdAt } = task
  if (mode === 'unknown' || auctionType === 'unknown') return null
  return hashTerms({
    mode: toModeSelector(mode),
    auctionType: auctionType === null ? NO_SELECTOR : toAuctionSelector(auctionType),
    reward: task.reward,
    duration: task.expiryTime - createdAt,
    pitchDuration: (task.pitchDeadline ?? createdAt) - createdAt,
    bidDuration: (task.bidDeadline ?? createdAt) - createdAt,
    clockPrice: task.clockPrice ?? 0n,
    stakeBps: task.stakeBps,
    tagHashes: task.tagHashes,
    evaluator: task.evaluator ?? zeroAddress,
    resolver: task.disputeResolver ?? zeroAddress,
    evaluatorFeeBps: task.evaluatorFeeBps ?? 0,
    evaluationWindow: task.evaluationWindow ?? 0n,
    appealWindow: task.appealWindow ?? 0n,
    hookSet: task.hookSet ?? zeroHash,
  })
}

/**
 * The terms that `taskTermsHash` covers, as the market stores them. Deadlines and the duration are numbers of seconds
 * after the creation. A term that the task does not have is zero.
 */
export interface HashedTerms {
  mode: Hex
  auctionType: Hex
  reward: bigint
  duration: bigint
  pitchDuration: bigint
  bidDuration: bigint
  clockPrice: bigint
  stakeBps: number
  tagHashes: readonly Hex[]
  evaluator: Address
  resolver: Address
  evaluatorFeeBps: number
  evaluationWindow: bigint
  appealWindow: bigint
  hookSet: Hex
}

/**
 * Hashes terms in the same way as `TermsHash.hashOf` of the contracts.
 * Example of `terms`: a bounty with a reward of 5_000_000n base units and a duration of 86_400n seconds, and zeros in
 * all other fields.
 */
export function hashTerms(terms: HashedTerms): Hex {
  const { tagHashes } = terms
  return keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      [
        terms.mode,
        terms.auctionType,
        terms.reward,
        terms.duration,
        terms.pitchDuration,
        terms.bidDuration,
        terms.clockPrice,
        BigInt(terms.stakeBps),
        tagHashes.length === 0 ? zeroHash : keccak256(concat([...tagHashes])),
        terms.evaluator,
        terms.resolver,
        BigInt(terms.evaluatorFeeBps),
        terms.evaluationWindow,
        terms.appealWindow,
        terms.hookSet,
      ],
    ),
  )
}

/** ABI types of the hashed values, in the order of contracts/src/libraries/TermsHash.sol. */
const types = [
  'bytes4',
  'bytes4',
  'uint256',
  'uint256',
  'uint256',
  'uint256',
  'uint256',
  'uint256',
  'bytes32',
  'address',
  'address',
  'uint256',
  'uint256',
  'uint256',
  'bytes32',
]
