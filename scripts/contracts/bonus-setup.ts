import type { Address } from 'viem'

/** The first settings of a programme; each is the contract's struct of the same name. */
export interface BonusSetup {
  terms: { tokenPerUsdc: bigint; bonusBps: number; workerSplitBps: number }
  bounds: { maxBonusPerFeeBps: number; maxRateDriftBps: number }
  /** USDC base units; `globalTokens` base units of the token. */
  caps: { globalUsd: number; workerUsd: number; requesterUsd: number; taskUsd: number; globalTokens: bigint }
  ramp: {
    afterSeconds: readonly [number, number, number]
    multiplierBps: readonly [number, number, number, number]
  }
}

/** Address of the reward token. `local`: the deployment creates one. */
export type RewardToken = Address | 'local'

const WEEK_SECONDS = 604_800
const USDC = 1_000_000

/**
 * The settings of a programme that pays nothing until its owner sets a rate. Division and ages are those of the specification.
 * The weekly caps are 100 USDC a task, 250 an account in each role and 5000 in all, without a cap in tokens.
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
 * The settings of a local chain: 10 tokens of 18 decimals for one USDC, in full from a wallet's first interaction, because
 * wallets there have no age.
 */
export const localBonusSetup: BonusSetup = {
  ...defaultBonusSetup,
  terms: { ...defaultBonusSetup.terms, tokenPerUsdc: 10n * 10n ** 18n },
  ramp: { ...defaultBonusSetup.ramp, multiplierBps: [10_000, 10_000, 10_000, 10_000] },
}
