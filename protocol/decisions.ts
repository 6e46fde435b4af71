import type { Address } from 'viem'
import type { Decision, Facts } from './operation.ts'

/**
 * Returns the empty list of decisions, for an operation that moves no money of the task. Only the operation's own price
 * is paid.
 * Example: `nothing()` is `[]`.
 */
export const nothing = (): readonly Decision[] => []

/**
 * Returns the task's whole reward, for an operation that decides who receives the reward from escrow.
 * Example: for a reward of 5_000_000n it is `[{ asset: 'usdc', amount: 5_000_000n }]`.
 */
export const wholeReward = (_input: unknown, { reward }: Pick<Facts, 'reward'>): readonly Decision[] => [
  { asset: 'usdc', amount: reward },
]

/**
 * Returns the task's reward if the requester makes the write, because the write pays the reward to a worker. Returns an
 * empty list if any other account makes the write.
 * Example: `[]` if the wallet is not the requester.
 */
export const rewardOfRequester = (
  _input: unknown,
  { reward, requester }: Pick<Facts, 'reward' | 'requester'>,
  { wallet }: { wallet: Address },
): readonly Decision[] => (wallet === requester ? [{ asset: 'usdc', amount: reward }] : [])
