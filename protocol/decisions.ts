import type { Decision, Facts } from './operation.ts'

/** Decides about nothing besides the price. */
export const nothing = (): readonly Decision[] => []

/** Decides about the whole reward of the task, which is in escrow. */
export const wholeReward = (_input: unknown, { reward }: Pick<Facts, 'reward'>): readonly Decision[] => [
  { asset: 'usdc', amount: reward },
]
