import type { Address } from 'viem'
import type { Decision, Facts } from './operation.ts'

/**
 * Returns the assets that a write disposes of besides its price: none.
 * Example: `nothing()` is `[]`.
 */
export const nothing = (): readonly Decision[] => []

/**
 * Returns the asset that a write disposes of besides its price: the task's whole reward, which is in escrow.
 * Example: for a reward of 5_000_000n it is `[{ asset: 'usdc', amount: 5_000_000n }]`.
 */
export const wholeReward = (_input: unknown, { reward }: Pick<Facts, 'reward'>): readonly Decision[] => [
  { asset: 'usdc', amount: reward },
]

/**
 * Returns the assets that a wallet disposes of by a write that makes the market pay a worker. Any account may send the
 * write. The assets are the reward if the wallet is the requester, else none.
 * Example: `[]` if the wallet is not the requester.
 */
export const rewardOfRequester = (
  _input: unknown,
  { reward, requester }: Pick<Facts, 'reward' | 'requester'>,
  { wallet }: { wallet: Address },
): readonly Decision[] => (wallet === requester ? [{ asset: 'usdc', amount: reward }] : [])
