import type { Address } from 'viem'
import { exampleOtherWorker, exampleWorker } from '../examples.ts'
import { toAddress, toAmount } from '../normalise.ts'
import { type Verdict, verdicts } from '../rules/verdict.ts'

/** Possible decisions of a resolver. A resolver cannot reject, because a resolution always pays a worker. */
export const resolutions = ['approve', 'partial'] as const satisfies readonly Verdict[]
export type Resolution = (typeof resolutions)[number]

/** One award in the decision of an evaluator or a resolver. */
export interface AwardRequest {
  worker: string
  /** Gross amount of the award, USDC base units. */
  amount: string
  /** Rank of the award, unique in the decision. Rank 1 is the primary award. */
  rank: number
}

/**
 * Normalises the awards of a decision. The order of the awards does not change.
 * Example: `{ worker: '0xA1..', amount: '3000000', rank: 1 }` becomes `{ worker: '0xa1..', amount: 3_000_000n, rank: 1
 * }`.
 */
export function normaliseAwards(awards: readonly AwardRequest[]): { worker: Address; amount: bigint; rank: number }[] {
  return awards.map(({ worker, amount, rank }) => ({ worker: toAddress(worker), amount: toAmount(amount), rank }))
}

/** Returns the value of the contract's enum `Verdict` for a name. Example: `toContractVerdict('reject')` is 2. */
export function toContractVerdict(verdict: Verdict): number {
  return verdicts.indexOf(verdict) + 1
}

/** Awards with the ranks 1 and 2, for the examples of requests. */
export const exampleAwards: readonly AwardRequest[] = [
  { worker: exampleWorker, amount: '3000000', rank: 1 },
  { worker: exampleOtherWorker, amount: '1000000', rank: 2 },
]
