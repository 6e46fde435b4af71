import type { Address } from 'viem'

/** Decisions of an evaluator or a resolver: the contract's `Verdict`, in its order less its `None`. */
export const verdicts = ['approve', 'reject', 'partial'] as const

export type Verdict = (typeof verdicts)[number]

/**
 * Returns the verdict of the contract's enum value. Example: `toVerdict(3)` is `partial`.
 * @throws for `None` and values beyond the enum, which our own contract never logs
 */
export function toVerdict(contractVerdict: number): Verdict {
  const verdict = verdicts[contractVerdict - 1]
  if (verdict === undefined) throw new Error(`the market logged verdict ${contractVerdict}`)
  return verdict
}

/**
 * Returns the worker of a contest that a verdict awarded: the award of rank 1; null when there is none, as after a rejection.
 * Interface document, "Evaluator flow".
 * Example: `findPrimaryWorker([{ worker: '0xb2..', rank: 1 }])` is `0xb2..`.
 */
export function findPrimaryWorker(awards: readonly { worker: Address; rank: number }[]): Address | null {
  return awards.find(({ rank }) => rank === 1)?.worker ?? null
}
