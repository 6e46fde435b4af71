import { type Address, type Hex, keccak256, stringToBytes, zeroAddress } from 'viem'
import { clockPriceFields } from '../clock-price.ts'
import { type AuctionType, isClockType, toAuctionSelector, toModeSelector } from '../rules/selectors.ts'
import { type EvaluatorTerms, toEvaluatorTerms } from './evaluator-terms.ts'
import { toOwnHooks } from './own-hooks.ts'
import type { TaskTerms } from './task-terms.ts'

const NO_SELECTOR: Hex = '0x00000000'
const noEvaluator: EvaluatorTerms = {
  evaluator: zeroAddress,
  resolver: zeroAddress,
  feeBps: 0,
  evaluationWindow: 0,
  appealWindow: 0,
}

/**
 * Parameters of the market's function `createTask`, except the hash of the task's texts
 * (contracts/src/types/TaskTypes.sol).
 */
export interface CreateTaskParams {
  mode: Hex
  auctionType: Hex
  reward: bigint
  duration: number
  pitchDuration: number
  bidDuration: number
  clockPrice: bigint
  stakeBps: number
  tags: readonly Hex[]
  listed: boolean
  evaluation: EvaluatorTerms
  hooks: readonly Address[]
  hookData: Hex
}

/**
 * Converts the terms of a new task to the contract's parameters. A private task has no tags on chain and is not listed.
 * Example: a bounty of 24 hours has mode `0xa81913a5` and a duration of 86400 seconds.
 */
export function toCreateTaskParams(terms: TaskTerms & { tags: readonly string[] }): CreateTaskParams {
  const { mode, reward, duration, tags, taskVisibility, stakeRequired, stakeBps, evaluator, hookData } = terms
  const auctionType = mode === 'auction' ? terms.auctionType : undefined
  return {
    mode: toModeSelector(mode),
    auctionType: auctionType === undefined ? NO_SELECTOR : toAuctionSelector(auctionType),
    reward,
    duration: Number(duration),
    pitchDuration: mode === 'pitch' ? Number(terms.pitchDeadline ?? 0n) : 0,
    bidDuration: mode === 'auction' ? Number(terms.bidDeadline ?? 0n) : 0,
    clockPrice: clockPriceOf(auctionType, terms),
    stakeBps: stakeRequired ? stakeBps : 0,
    tags: taskVisibility === 'private' ? [] : tags.map((tag) => keccak256(stringToBytes(tag))),
    listed: taskVisibility === 'public',
    evaluation: evaluator === undefined ? noEvaluator : toEvaluatorTerms({ ...terms, evaluator }),
    hooks: toOwnHooks(terms),
    hookData: hookData ?? '0x',
  }
}

/** Returns the floor or start price of a dutch or reverse dutch auction, USDC base units; 0n for any other task. */
function clockPriceOf(auctionType: AuctionType | undefined, terms: TaskTerms): bigint {
  return isClockType(auctionType) ? (terms[clockPriceFields[auctionType]] ?? 0n) : 0n
}
