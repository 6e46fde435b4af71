import type { Address } from 'viem'
import type { Decision, Facts } from './operation.ts'

/**
 * Returns no decision, for a write that disposes of no assets besides its price.
 * Example: `nothing()` is `[]`.
 */
export const nothing = (): readonly Decision[] => []

/**
 * Returns the decision of a write that disposes of the task's whole reward, which is in escrow.
 * Example: for a reward of 5_000_000n it is `[{ asset: 'usdc', amount: 5_000_000n }]`.
 */
export const wholeReward = (_input: unknown, { reward }: Pick<Facts, 'reward'>): readonly Decision[] => [
  { asset: 'usdc', amount: reward },
]

/**
 * Returns the decision of a write by which any caller can make the market pay a worker. If the requester calls, the
 * write disposes of the requester's reward; any other wallet disposes of no asset of its own.
 * Example: `[]` if the wallet is not the requester.
 */
export const rewardOfRequester = (
  _input: unknown,
  { reward, requester }: Pick<Facts, 'reward' | 'requester'>,
  { wallet }: { wallet: Address },
): readonly Decision[] => (wallet === requester ? [{ asset: 'usdc', amount: reward }] : [])
