import { partOf } from './rules/amounts.ts'
import type { Verdict } from './rules/verdict.ts'

/**
 * Splits a gross award into the platform's fee and the worker's payment, in base units. The fee and the payment sum to
 * the gross award.
 * Example: `splitFee(2_000_000n, 750)` is `{ platformFee: 150_000n, workerPayment: 1_850_000n }`.
 */
export function splitFee(gross: bigint, platformFeeBps: number): { platformFee: bigint; workerPayment: bigint } {
  const platformFee = partOf(gross, platformFeeBps)
  return { platformFee, workerPayment: gross - platformFee }
}

/**
 * Divides a reward by shares (interface specification, "Other rules"). Returns one amount for each share, in the order
 * of the shares, in base units. Each amount is floor(reward * share / 10000). The first amount also gets the remainder.
 * Example: `splitReward(1_000_001n, [3334, 3333, 3333])` is `[333_401n, 333_300n, 333_300n]`.
 * @param sharesBps shares in basis points; they must sum to 10000
 */
export function splitReward(reward: bigint, sharesBps: readonly number[]): bigint[] {
  const floors = sharesBps.map((shareBps) => partOf(reward, shareBps))
  const remainder = reward - floors.reduce((sum, gross) => sum + gross, 0n)
  return floors.map((gross, index) => (index === 0 ? gross + remainder : gross))
}

/**
 * The payouts of a task with an evaluator, in base units. The evaluator's fee, the gross awards and the returned amount
 * sum to the reward; in an auction, to the price.
 */
export interface VerdictPayouts {
  /** Amount paid to the evaluator with every verdict, including a rejection. */
  evaluatorFee: bigint
  /** Payments in the order of the awards. `gross` is the sum of `platformFee` and `workerPayment`. */
  awards: { gross: bigint; platformFee: bigint; workerPayment: bigint }[]
  /** Amount returned to the requester. */
  returned: bigint
}

/**
 * Computes the payouts of a verdict (interface specification, "Evaluator flow"). The evaluator gets a part of the base
 * (the reward; in an auction, the price). Each winner gets an award less the platform fee. The requester gets the rest.
 * An approval without awards is one award of the whole base less the evaluator's fee.
 *
 * Example: `verdictPayouts('partial', [400_000n], { base: 1_000_000n, evaluatorFeeBps: 500, platformFeeBps: 750 })` has
 * a fee of 50_000n, pays 370_000n net and returns 550_000n.
 * @param awards gross amounts in base units; their sum must not exceed the base minus the evaluator's fee
 * @param terms `base` is the reward in base units; in an auction, the price
 */
export function verdictPayouts(
  verdict: Verdict,
  awards: readonly bigint[],
  terms: { base: bigint; evaluatorFeeBps: number; platformFeeBps: number },
): VerdictPayouts {
  const evaluatorFee = partOf(terms.base, terms.evaluatorFeeBps)
  const payableAmount = terms.base - evaluatorFee
  const grosses = verdict === 'approve' && awards.length === 0 ? [payableAmount] : awards
  return {
    evaluatorFee,
    awards: grosses.map((gross) => ({ gross, ...splitFee(gross, terms.platformFeeBps) })),
    returned: payableAmount - grosses.reduce((sum, gross) => sum + gross, 0n),
  }
}
