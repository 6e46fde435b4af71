import { type Address, concat, encodeAbiParameters, type Hex, keccak256, zeroAddress, zeroHash } from 'viem'
import { toAuctionSelector, toModeSelector } from '../../protocol/rules/selectors.ts'
import type { TaskSnapshot } from './task-snapshot.ts'

const NO_SELECTOR = '0x00000000'

/** What the hash is made of. */
type TermsFacts = Pick<
  TaskSnapshot,
  | 'mode'
  | 'auctionType'
  | 'reward'
  | 'createdAt'
  | 'expiryTime'
  | 'pitchDeadline'
  | 'bidDeadline'
  | 'clockPrice'
  | 'stakeBps'
  | 'tagHashes'
  | 'evaluator'
  | 'disputeResolver'
  | 'evaluatorFeeBps'
  | 'evaluationWindow'
  | 'appealWindow'
  | 'hookSet'
>

/**
 * The market's `taskTermsHash` of a task: its present terms in one word (mode, reward, windows, stake, tags, evaluator,
 * hooks; not the texts). A claim names it, so that the contract refuses the claim of a task that changed meanwhile.
 * Null for a mode or auction that this version does not know.
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

/** The values of the hash as the market has them: durations in seconds from creation, zeros where a mode has none. */
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

/** `TermsHash.hashOf` of these values. */
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

/** In the order of contracts/src/libraries/TermsHash.sol. */
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
