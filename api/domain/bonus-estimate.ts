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

/** Both sides of a bonus. USDC and token base units. */
export interface BonusEstimate {
  tokenPerUsdc: bigint
  bonusBps: number
  usd: bigint
  workerUsd: bigint
  requesterUsd: bigint
  workerTokens: bigint
  requesterTokens: bigint
}

/** Of a task that earns no bonus. */
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
 * What a payment of `base` earns before the multipliers of the wallets and the caps. Spec, "Token bonus rules" 1 to 4,
 * bounded by the part of the platform fee that a bonus may have.
 * @param base gross, USDC base units
 */
export function estimateBonus(
  base: bigint,
  { terms, bounds, feeBps }: { terms: BonusTerms; bounds: BonusBounds; feeBps: number },
): BonusEstimate {
  const { tokenPerUsdc, bonusBps, workerSplitBps } = terms
  const bound = partOf(partOf(base, feeBps), bounds.maxBonusPerFeeBps)
  const value = bonusValueOf(base, bonusBps)
  const usd = smaller(value, bound)
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

/** A wallet as its side of a bonus depends on it. */
export interface BonusWallet {
  address: string
  /** Unix seconds; null: the programme has not seen it, so its age begins now. */
  firstSeen: bigint | null
  /** The epoch of `usd`. */
  epoch: number
  /** Credited in that epoch in the wallet's role. */
  usd: bigint
}

/** An award of a completion; `gross` in USDC base units. */
export interface EffectiveAward {
  gross: bigint
  rank: number
  worker: BonusWallet
}

/**
 * Tokens that a completion now would credit to one of its workers and to the requester, after bounds, multipliers and
 * caps.
 * @param awards in the order in which they are paid
 * @param worker the address of the one
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
  // The last: of an award to itself the requester earns nothing as a worker.
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
