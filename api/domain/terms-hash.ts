import { concat, encodeAbiParameters, type Hex, keccak256, zeroAddress, zeroHash } from 'viem'
import { toAuctionSelector, toModeSelector } from '../../src/rules/selectors.ts'
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
  return keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      [
        toModeSelector(mode),
        auctionType === null ? NO_SELECTOR : toAuctionSelector(auctionType),
        task.reward,
        task.expiryTime - createdAt,
        (task.pitchDeadline ?? createdAt) - createdAt,
        (task.bidDeadline ?? createdAt) - createdAt,
        task.clockPrice ?? 0n,
        BigInt(task.stakeBps),
        task.tagHashes.length === 0 ? zeroHash : keccak256(concat([...task.tagHashes])),
        task.evaluator ?? zeroAddress,
        task.disputeResolver ?? zeroAddress,
        BigInt(task.evaluatorFeeBps ?? 0),
        task.evaluationWindow ?? 0n,
        task.appealWindow ?? 0n,
        task.hookSet ?? zeroHash,
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
