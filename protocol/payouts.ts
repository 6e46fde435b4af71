import { partOf } from './rules/amounts.ts'
import type { Verdict } from './rules/verdict.ts'

/**
 * Splits a gross award into the platform's and the worker's part, base units that sum to the gross.
 * Example: `splitFee(2_000_000n, 750)` is `{ platformFee: 150_000n, workerPayment: 1_850_000n }`.
 */
export function splitFee(gross: bigint, platformFeeBps: number): { platformFee: bigint; workerPayment: bigint } {
  const platformFee = partOf(gross, platformFeeBps)
  return { platformFee, workerPayment: gross - platformFee }
}

/**
 * Divides a reward by shares, base units, in their order: floor(reward * share / 10000) each, and the remainder to the first, so
 * that they sum to the reward. Interface, "Other rules" (split). Shares are basis points and must sum to 10000.
 * Example: `splitReward(1_000_001n, [3334, 3333, 3333])` is `[333_401n, 333_300n, 333_300n]`.
 */
export function splitReward(reward: bigint, sharesBps: readonly number[]): bigint[] {
  const floors = sharesBps.map((shareBps) => partOf(reward, shareBps))
  const remainder = reward - floors.reduce((sum, gross) => sum + gross, 0n)
  return floors.map((gross, index) => (index === 0 ? gross + remainder : gross))
}

/** The payouts of a task that an evaluator decides, base units: the parts sum to the base. */
export interface VerdictPayouts {
  /** Paid with every verdict, a rejection too. */
  evaluatorFee: bigint
  /** Payments in the order of the awards. */
  awards: { gross: bigint; platformFee: bigint; workerPayment: bigint }[]
  /** Returned to the requester. */
  returned: bigint
}

/**
 * Computes the payouts of a verdict. Interface, "Evaluator flow": the fee is part of the base (the reward, in auctions the
 * price), each award pays its platform fee, and the rest returns to the requester. An approval without awards pays everything to
 * one worker.
 *
 * Example: `verdictPayouts('partial', [400_000n], { base: 1_000_000n, evaluatorFeeBps: 500, platformFeeBps: 750 })` has a fee of
 * 50_000n, pays 370_000n net and returns 550_000n.
 * @param awards gross amounts in base units; they sum to at most the base less the evaluator's fee
 */
export function verdictPayouts(
  verdict: Verdict,
  awards: readonly bigint[],
  terms: { base: bigint; evaluatorFeeBps: number; platformFeeBps: number },
): VerdictPayouts {
  const evaluatorFee = partOf(terms.base, terms.evaluatorFeeBps)
  const payable = terms.base - evaluatorFee
  const grosses = verdict === 'approve' && awards.length === 0 ? [payable] : awards
  return {
    evaluatorFee,
    awards: grosses.map((gross) => ({ gross, ...splitFee(gross, terms.platformFeeBps) })),
    returned: payable - grosses.reduce((sum, gross) => sum + gross, 0n),
  }
}
