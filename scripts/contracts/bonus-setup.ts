import type { Address } from 'viem'

/** The first settings of a bonus programme. Each field is the struct of the same name in the contract. */
export interface BonusSetup {
  terms: { tokenPerUsdc: bigint; bonusBps: number; workerSplitBps: number }
  bounds: { maxBonusPerFeeBps: number; maxRateDriftBps: number }
  /** Caps in base units of USDC; `globalTokens` in base units of the reward token. */
  caps: { globalUsd: number; workerUsd: number; requesterUsd: number; taskUsd: number; globalTokens: bigint }
  ramp: {
    afterSeconds: readonly [number, number, number]
    multiplierBps: readonly [number, number, number, number]
  }
}

/** Address of the reward token. With `local`, the deployment creates a token. */
export type RewardToken = Address | 'local'

const WEEK_SECONDS = 604_800
const USDC = 1_000_000

/**
 * The settings of a bonus programme that pays nothing until its owner sets a rate. The split between worker and
 * requester and the ages of the ramp are those of the specification. The weekly caps are 100 USDC for a task, 250 USDC
 * for an account in each role, and 5000 USDC in total. There is no cap in tokens.
 */
export const defaultBonusSetup: BonusSetup = {
  terms: { tokenPerUsdc: 0n, bonusBps: 750, workerSplitBps: 8000 },
  bounds: { maxBonusPerFeeBps: 10_000, maxRateDriftBps: 20_000 },
  caps: {
    globalUsd: 5000 * USDC,
    workerUsd: 250 * USDC,
    requesterUsd: 250 * USDC,
    taskUsd: 100 * USDC,
    globalTokens: 2n ** 128n - 1n,
  },
  ramp: {
    afterSeconds: [2 * WEEK_SECONDS, 4 * WEEK_SECONDS, 8 * WEEK_SECONDS],
    multiplierBps: [0, 2500, 5000, 10_000],
  },
}

/**
 * The bonus settings of a local chain: 10 tokens of 18 decimals for one USDC. Wallets of a local chain are always new,
 * so they get the full bonus from their first interaction on.
 */
export const localBonusSetup: BonusSetup = {
  ...defaultBonusSetup,
  terms: { ...defaultBonusSetup.terms, tokenPerUsdc: 10n * 10n ** 18n },
  ramp: { ...defaultBonusSetup.ramp, multiplierBps: [10_000, 10_000, 10_000, 10_000] },
}
