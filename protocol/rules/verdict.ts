import type { Address } from 'viem'

/** Decisions of an evaluator or a resolver, in the order of the contract's enum `Verdict` without `None`. */
export const verdicts = ['approve', 'reject', 'partial'] as const

export type Verdict = (typeof verdicts)[number]

/**
 * Returns the name of a value of the contract's enum `Verdict`. Example: `toVerdict(3)` is `partial`.
 * @throws if the number is `None` or is not in the enum; our own contract never logs such a number
 */
export function toVerdict(contractVerdict: number): Verdict {
  const verdict = verdicts[contractVerdict - 1]
  if (verdict === undefined) throw new Error(`the market logged verdict ${contractVerdict}`)
  return verdict
}

/**
 * Returns the worker of the award with rank 1; null if no award has rank 1 (interface specification, "Evaluator flow").
 * Example: `findPrimaryWorker([{ worker: '0xb2..', rank: 1 }])` is `0xb2..`.
 */
export function findPrimaryWorker(awards: readonly { worker: Address; rank: number }[]): Address | null {
  return awards.find(({ rank }) => rank === 1)?.worker ?? null
}
