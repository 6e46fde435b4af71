import { partOf } from '../../protocol/rules/amounts.ts'
import { splitFee } from './fees.ts'

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
  verdict: 'approve' | 'reject' | 'partial',
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
