import type { Address } from 'viem'
import type { Decision, Facts } from './operation.ts'

/**
 * Disposes of nothing besides the price.
 * Example: `nothing()` is `[]`.
 */
export const nothing = (): readonly Decision[] => []

/**
 * Disposes of the whole reward of the task, which is in escrow.
 * Example: a reward of 5_000_000n is `[{ asset: 'usdc', amount: 5_000_000n }]`.
 */
export const wholeReward = (_input: unknown, { reward }: Pick<Facts, 'reward'>): readonly Decision[] => [
  { asset: 'usdc', amount: reward },
]

/**
 * Disposes of the reward when the requester calls: any caller can have a worker paid out of the requester's escrow, and other
 * wallets give nothing away.
 * Example: `[]` for another wallet than the requester.
 */
export const rewardOfRequester = (
  _input: unknown,
  { reward, requester }: Pick<Facts, 'reward' | 'requester'>,
  { wallet }: { wallet: Address },
): readonly Decision[] => (wallet === requester ? [{ asset: 'usdc', amount: reward }] : [])
