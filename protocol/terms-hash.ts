import { type Address, concat, encodeAbiParameters, type Hex, keccak256, zeroAddress, zeroHash } from 'viem'
import { type AuctionType, type TaskMode, toAuctionSelector, toModeSelector } from './rules/selectors.ts'

const NO_SELECTOR = '0x00000000'

/** The present terms of a task: amounts in base units, times in Unix seconds, windows in seconds; null: the task has none. */
export interface TermsFacts {
  mode: TaskMode | 'unknown'
  auctionType: AuctionType | 'unknown' | null
  reward: bigint
  createdAt: bigint
  expiryTime: bigint
  pitchDeadline: bigint | null
  bidDeadline: bigint | null
  /** Floor or start price of an auction by the clock. */
  clockPrice: bigint | null
  stakeBps: number
  /** keccak256 of each tag at creation, in order. */
  tagHashes: readonly Hex[]
  evaluator: Address | null
  disputeResolver: Address | null
  evaluatorFeeBps: number | null
  evaluationWindow: bigint | null
  appealWindow: bigint | null
  /** Id of the list of hooks. */
  hookSet: Hex | null
}

/**
 * Computes the market's `taskTermsHash` of a task: its present terms in one word (mode, reward, windows, stake, tags, evaluator,
 * hooks; not the texts). A claim names it, so that the contract refuses the claim of a task that changed meanwhile. Null for a
 * mode or auction that this version does not support.
 *
 * Example: a reward that is one base unit higher has another hash, a changed description the same.
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

/** The hashed values as the market stores them: durations in seconds from creation, zeros where a mode has none. */
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
 * Hashes terms as `TermsHash.hashOf` of the contracts does.
 * Example: the terms of a bounty of 5_000_000n for 86_400n seconds, with zeros in all other fields.
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

/** Types in the order of contracts/src/libraries/TermsHash.sol. */
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
