import type { Address } from 'viem'
import { exampleOtherWorker, exampleWorker } from '../examples.ts'
import { toAddress, toAmount } from '../normalise.ts'
import { type Verdict, verdicts } from '../rules/verdict.ts'

/** Decisions of a resolver, who always pays a worker. */
export const resolutions = ['approve', 'partial'] as const satisfies readonly Verdict[]
export type Resolution = (typeof resolutions)[number]

/** An award of an evaluator's or a resolver's decision. */
export interface AwardRequest {
  worker: string
  /** Gross, base units. */
  amount: string
  /** Rank, unique in the decision; 1 is the primary award. */
  rank: number
}

/**
 * Normalises the awards of a decision and keeps their order.
 * Example: `{ worker: '0xA1..', amount: '3000000', rank: 1 }` becomes `{ worker: '0xa1..', amount: 3_000_000n, rank: 1 }`.
 */
export function normaliseAwards(awards: readonly AwardRequest[]): { worker: Address; amount: bigint; rank: number }[] {
  return awards.map(({ worker, amount, rank }) => ({ worker: toAddress(worker), amount: toAmount(amount), rank }))
}

/** Returns the contract's `Verdict` of a name. Example: `toContractVerdict('reject')` is 2. */
export function toContractVerdict(verdict: Verdict): number {
  return verdicts.indexOf(verdict) + 1
}

/** Awards of the examples: ranks 1 and 2. */
export const exampleAwards: readonly AwardRequest[] = [
  { worker: exampleWorker, amount: '3000000', rank: 1 },
  { worker: exampleOtherWorker, amount: '1000000', rank: 2 },
]
