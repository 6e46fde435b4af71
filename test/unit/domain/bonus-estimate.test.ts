import { describe, expect, test } from 'vitest'
import { type BonusWallet, effectiveBonus, estimateBonus } from '../../../api/domain/bonus-estimate.ts'

const TOKEN = 10n ** 18n
const NOW = 1_760_000_000n
const DAY = 86_400n
const terms = { tokenPerUsdc: 10n * TOKEN, bonusBps: 750, workerSplitBps: 8000 }
const bounds = { maxBonusPerFeeBps: 10_000, maxRateDriftBps: 20_000 }

describe('given 13.33 USDC at 10 tokens', () => {
  test('then both sides sum to 7.5 %', () => {
    expect(estimateBonus(13_330_000n, { terms, bounds, feeBps: 750 })).toEqual({
      tokenPerUsdc: 10n * TOKEN,
      bonusBps: 750,
      usd: 999_750n,
      workerUsd: 799_800n,
      requesterUsd: 199_950n,
      workerTokens: 7_998n * 10n ** 15n,
      requesterTokens: 19_995n * 10n ** 14n,
    })
  })

  test('then half of a fee of 5 % bounds them', () => {
    const halfOfFee = { ...bounds, maxBonusPerFeeBps: 5_000 }
    expect(estimateBonus(13_330_000n, { terms, bounds: halfOfFee, feeBps: 500 })).toMatchObject({
      usd: 333_250n,
      workerUsd: 266_600n,
      requesterUsd: 66_650n,
      workerTokens: 2_666n * 10n ** 15n,
      requesterTokens: 6_665n * 10n ** 14n,
    })
  })
})

describe('given a contest with a cap of 700000 base units for a worker and 200000 for the requester', () => {
  const most = 2n ** 48n - 1n
  const completion = {
    feeBps: 750,
    isContest: true,
    terms,
    bounds,
    caps: {
      globalUsd: most,
      workerUsd: 700_000n,
      requesterUsd: 200_000n,
      taskUsd: most,
      globalTokens: 2n ** 128n - 1n,
    },
    ramp: { afterSeconds: [Number(DAY), 172_800, 259_200], multiplierBps: [2_500, 5_000, 7_500, 10_000] },
    lock: null,
    time: NOW,
    epoch: 3,
    usdOfEpoch: 0n,
    tokensOfEpoch: 0n,
    reserve: 10n ** 30n,
  } satisfies Omit<Parameters<typeof effectiveBonus>[0], 'requester'>
  const aWallet = (address: string, changes: Partial<BonusWallet> = {}): BonusWallet => ({
    address,
    firstSeen: NOW - 3n * DAY,
    epoch: 3,
    usd: 0n,
    ...changes,
  })
  const awardOf = (worker: BonusWallet, rank: number) => ({ gross: 10_000_000n, rank, worker })
  const of = (worker: string, alice = aWallet('alice'), requester = aWallet('requester')) =>
    effectiveBonus(completion, { awards: [awardOf(alice, 1), awardOf(aWallet('bob'), 2)], worker, requester })

  test('then each worker has 6 tokens, and the requester 1.5 of the first award and 0.5 that its cap leaves', () => {
    expect(of('alice')).toEqual({ worker: 6n * TOKEN, requester: 2n * TOKEN })
    expect(of('bob')).toEqual({ worker: 6n * TOKEN, requester: 2n * TOKEN })
  })

  test('then what a side has of this epoch counts in its own role', () => {
    const used = { usd: 150_000n }
    expect(of('alice', aWallet('alice', used))).toEqual({ worker: (55n * TOKEN) / 10n, requester: 2n * TOKEN })
    expect(of('alice', aWallet('alice', { ...used, epoch: 2 })).worker).toBe(6n * TOKEN)
    expect(of('alice', aWallet('alice'), aWallet('requester', used))).toEqual({
      worker: 6n * TOKEN,
      requester: TOKEN / 2n,
    })
  })

  test('then a wallet that was never seen is of age zero', () => {
    expect(of('alice', aWallet('alice', { firstSeen: null })).worker).toBe((15n * TOKEN) / 10n)
    expect(of('alice', aWallet('alice', { firstSeen: NOW - DAY })).worker).toBe(3n * TOKEN)
  })

  test('then a side that is skipped adds nothing', () => {
    expect(of('alice', aWallet('alice', { usd: 700_000n }))).toEqual({ worker: 0n, requester: 2n * TOKEN })
    expect(of('carol')).toEqual({ worker: 0n, requester: 2n * TOKEN })
  })

  test('then an award to the requester itself earns it nothing', () => {
    const requester = aWallet('requester')
    const awards = [awardOf(requester, 1), awardOf(aWallet('bob'), 2)]
    expect(effectiveBonus(completion, { awards, worker: 'requester', requester })).toEqual({
      worker: 0n,
      requester: (15n * TOKEN) / 10n,
    })
  })
})
