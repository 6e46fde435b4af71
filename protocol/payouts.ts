import { partOf } from './rules/amounts.ts'
import type { Verdict } from './rules/verdict.ts'

/** What of a gross award goes to the platform and what to the worker; base units that sum to the gross. */
export function splitFee(gross: bigint, platformFeeBps: number): { platformFee: bigint; workerPayment: bigint } {
  const platformFee = partOf(gross, platformFeeBps)
  return { platformFee, workerPayment: gross - platformFee }
}

/**
 * The gross amounts of a split, base units, in the order of the shares: floor(reward * share / 10000) each, and what
 * the division leaves over to the first, so that they sum to the reward. Interface, "Other rules" (split).
 * Shares are basis points and must sum to 10000.
 */
export function splitReward(reward: bigint, sharesBps: readonly number[]): bigint[] {
  const floors = sharesBps.map((shareBps) => partOf(reward, shareBps))
  const remainder = reward - floors.reduce((sum, gross) => sum + gross, 0n)
  return floors.map((gross, index) => (index === 0 ? gross + remainder : gross))
}

/** Who gets what of a task that an evaluator decides, base units: the parts sum to the base. */
export interface VerdictPayouts {
  /** Paid with the verdict, whatever it says. */
  evaluatorFee: bigint
  /** In the order of the awards. */
  awards: { gross: bigint; platformFee: bigint; workerPayment: bigint }[]
  /** What goes back to the requester. */
  returned: bigint
}

/**
 * The payouts of a verdict. Interface, "Evaluator flow": the fee is part of the base (the reward, in auctions the
 * price), each award pays its platform fee, and the rest goes back. Approving without awards pays everything to one
 * worker.
 * @param awards gross amounts in base units; they sum to at most the base less the evaluator's fee
 */
export function verdictPayouts(
  verdict: Verdict,
  awards: readonly bigint[],
  terms: { base: bigint; evaluatorFeeBps: number; platformFeeBps: number },
): VerdictPayouts {
  const evaluatorFee = partOf(terms.base, terms.evaluatorFeeBps)
  const left = terms.base - evaluatorFee
  const grosses = verdict === 'approve' && awards.length === 0 ? [left] : awards
  return {
    evaluatorFee,
    awards: grosses.map((gross) => ({ gross, ...splitFee(gross, terms.platformFeeBps) })),
    returned: left - grosses.reduce((sum, gross) => sum + gross, 0n),
  }
}
