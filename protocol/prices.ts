import type { Facts, Price } from './operation.ts'

/** The service's fee for a paid write, USDC base units. */
export const ACTION_FEE = 1_000n

/** Minimum reward of a task, USDC base units. */
export const MIN_REWARD = 1_000n
/** Maximum escrow that the market can store for a task, USDC base units: the largest uint72. */
export const MAX_REWARD = 2n ** 72n - 1n

/** The price of a write that costs only the service's fee of 1_000n base units. */
export const actionFee: Price<unknown, unknown> = {
  of: () => ({ fee: ACTION_FEE, escrow: 0n }),
  least: ACTION_FEE,
  most: ACTION_FEE,
  is: 'the fee of an action',
}

/** The price of a free write. */
export const free: Price<unknown, unknown> = {
  of: () => ({ fee: 0n, escrow: 0n }),
  least: 0n,
  most: 0n,
  is: 'free',
}

/** The price of creating a task: the reward. The whole reward becomes escrow. The service takes no fee. */
export const rewardPrice: Price<{ reward: bigint }, unknown> = {
  of: ({ reward }) => ({ fee: 0n, escrow: reward }),
  least: MIN_REWARD,
  most: MAX_REWARD,
  is: 'the reward, all of which goes into escrow',
}

/** The price of a claim with a stake. The whole stake becomes escrow. */
export const stakeOfTask: Price<unknown, Pick<Facts, 'stake'>> = {
  of: (_input, { stake }) => ({ fee: 0n, escrow: stake }),
  least: 1n,
  most: MAX_REWARD,
  is: 'the stake of the task, which goes into escrow',
}
