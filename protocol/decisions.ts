import type { Address } from 'viem'
import type { Decision, Facts } from './operation.ts'

/** Decides about nothing besides the price. */
export const nothing = (): readonly Decision[] => []

/** Decides about the whole reward of the task, which is in escrow. */
export const wholeReward = (_input: unknown, { reward }: Pick<Facts, 'reward'>): readonly Decision[] => [
  { asset: 'usdc', amount: reward },
]

/** Pays a worker out of the escrow of the requester, for any caller; another wallet than the requester gives nothing away. */
export const rewardOfRequester = (
  _input: unknown,
  { reward, requester }: Pick<Facts, 'reward' | 'requester'>,
  { wallet }: { wallet: Address },
): readonly Decision[] => (wallet === requester ? [{ asset: 'usdc', amount: reward }] : [])
