import { partOf } from '../../protocol/rules/amounts.ts'
import {
  type BonusBounds,
  type BonusCompletion,
  type BonusSide,
  type BonusTerms,
  bonusValueOf,
  creditAwards,
  smaller,
  tokensOf,
} from '../../protocol/rules/bonus.ts'

/**
 * A bonus estimate for worker and requester. `usd` amounts are in base units of USDC, `tokens` amounts in base units of
 * the reward token.
 */
export interface BonusEstimate {
  tokenPerUsdc: bigint
  bonusBps: number
  usd: bigint
  workerUsd: bigint
  requesterUsd: bigint
  workerTokens: bigint
  requesterTokens: bigint
}

/** The bonus estimate of a task on a market without a bonus programme: zero. */
export const noEstimate: BonusEstimate = {
  tokenPerUsdc: 0n,
  bonusBps: 0,
  usd: 0n,
  workerUsd: 0n,
  requesterUsd: 0n,
  workerTokens: 0n,
  requesterTokens: 0n,
}

/**
 * Estimates the bonus of a payment. The bonus is worth at most `bounds.maxBonusPerFeeBps` basis points of the platform
 * fee. The estimate ignores the multipliers of the two wallets and the caps of the programme. See the specification,
 * "Token bonus rules" 1 to 4.
 * @param base the gross payment, in USDC base units
 */
export function estimateBonus(
  base: bigint,
  { terms, bounds, feeBps }: { terms: BonusTerms; bounds: BonusBounds; feeBps: number },
): BonusEstimate {
  const { tokenPerUsdc, bonusBps, workerSplitBps } = terms
  const feeBound = partOf(partOf(base, feeBps), bounds.maxBonusPerFeeBps)
  const value = bonusValueOf(base, bonusBps)
  const usd = smaller(value, feeBound)
  const tokens = tokensOf(usd, tokenPerUsdc)
  const [workerUsd, workerTokens] = [partOf(usd, workerSplitBps), partOf(tokens, workerSplitBps)]
  return {
    tokenPerUsdc,
    bonusBps,
    usd,
    workerUsd,
    requesterUsd: usd - workerUsd,
    workerTokens,
    requesterTokens: tokens - workerTokens,
  }
}

/** The facts about a wallet from which the wallet's part of a bonus is computed. */
export interface BonusWallet {
  address: string
  /**
   * The time of the wallet's first interaction, in Unix seconds. Null if the wallet had none. In that case, the
   * wallet's age is zero.
   */
  firstSeen: bigint | null
  /** The epoch (week of the bonus programme) in which `usd` was credited. */
  epoch: number
  /**
   * The amount already credited to the wallet in the epoch `epoch`, in USDC base units. Only credits in the wallet's
   * role in the task (worker or requester) count.
   */
  usd: bigint
}

/**
 * One award that is paid when a task is completed, with the values that `effectiveBonus` needs. `gross` is in USDC base
 * units.
 */
export interface EffectiveAward {
  gross: bigint
  rank: number
  worker: BonusWallet
}

/**
 * Returns the bonus that a completion at `time` would credit to one worker and to the requester, in base units of the
 * reward token. Bounds, multipliers and caps are applied.
 * @param awards in the order of payment
 * @param worker the address of the worker
 */
export function effectiveBonus(
  completion: Omit<BonusCompletion, 'requester'>,
  { awards, worker, requester }: { awards: readonly EffectiveAward[]; worker: string; requester: BonusWallet },
): { worker: bigint; requester: bigint } {
  const { time } = completion
  const accounts = new Map(
    awards.map(({ worker: wallet }) => [
      wallet.address,
      toAccount(wallet, time, { workerUsd: wallet.usd, requesterUsd: 0n }),
    ]),
  )
  // The requester is set last: an award to itself earns it nothing as a worker.
  accounts.set(requester.address, toAccount(requester, time, { workerUsd: 0n, requesterUsd: requester.usd }))
  const outcomes = creditAwards(
    { ...completion, requester: requester.address },
    awards.map(({ gross, rank, worker: wallet }) => ({ worker: wallet.address, amount: gross, rank })),
    accounts,
  )
  const creditedTo = (role: BonusSide, account: string) =>
    outcomes.reduce((sum, outcome) => {
      const isOf = outcome.role === role && outcome.account === account
      return sum + (isOf && outcome.skipped === null ? outcome.credited : 0n)
    }, 0n)
  return { worker: creditedTo('worker', worker), requester: creditedTo('requester', requester.address) }
}

function toAccount({ firstSeen, epoch }: BonusWallet, now: bigint, sums: { workerUsd: bigint; requesterUsd: bigint }) {
  return { firstSeen: firstSeen ?? now, epoch, ...sums, claimable: 0n }
}
