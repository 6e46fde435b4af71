import type { Facts, Price } from './operation.ts'

/** The fee of a paid write, base units. */
export const ACTION_FEE = 1_000n

/** Smallest reward, base units. */
export const MIN_REWARD = 1_000n
/** Largest escrow that the market can store, base units: uint72. */
export const MAX_REWARD = 2n ** 72n - 1n

/** The price of a write that costs the fee of an action alone: 1_000n. */
export const actionFee: Price<unknown, unknown> = {
  of: () => ({ fee: ACTION_FEE, escrow: 0n }),
  least: ACTION_FEE,
  most: ACTION_FEE,
  is: 'the fee of an action',
}

/** The price of a write without a payment. */
export const free: Price<unknown, unknown> = {
  of: () => ({ fee: 0n, escrow: 0n }),
  least: 0n,
  most: 0n,
  is: 'free',
}

/** The price of a creation: the reward, of which nothing stays with the service. */
export const rewardPrice: Price<{ reward: bigint }, unknown> = {
  of: ({ reward }) => ({ fee: 0n, escrow: reward }),
  least: MIN_REWARD,
  most: MAX_REWARD,
  is: 'the reward, all of which goes into escrow',
}

/** The price of a claim, all of which becomes escrow. A claim without a stake is free on a signature. */
export const stakeOfTask: Price<unknown, Pick<Facts, 'stake'>> = {
  of: (_input, { stake }) => ({ fee: 0n, escrow: stake }),
  least: 1n,
  most: MAX_REWARD,
  is: 'the stake of the task, which goes into escrow',
}
