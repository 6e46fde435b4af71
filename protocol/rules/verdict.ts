import type { Address } from 'viem'

/** What an evaluator or a resolver decided: the contract's `Verdict`, in its order less its `None`. */
export const verdicts = ['approve', 'reject', 'partial'] as const

export type Verdict = (typeof verdicts)[number]

/**
 * The verdict of the contract's enum value.
 * @throws for `None` and values beyond the enum: our own contract never logs them
 */
export function toVerdict(contractVerdict: number): Verdict {
  const verdict = verdicts[contractVerdict - 1]
  if (verdict === undefined) throw new Error(`the market logged verdict ${contractVerdict}`)
  return verdict
}

/**
 * Who counts as the worker of a contest once a verdict awarded it: the award of rank 1; null when there is none, as
 * after a rejection. Interface document, "Evaluator flow".
 */
export function findPrimaryWorker(awards: readonly { worker: Address; rank: number }[]): Address | null {
  return awards.find(({ rank }) => rank === 1)?.worker ?? null
}
