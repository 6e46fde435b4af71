import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { netRewardOf } from '../../../protocol/net-reward.ts'
import { splitFee, splitReward } from '../../../protocol/payouts.ts'
import { partOf } from '../../../protocol/rules/amounts.ts'

const anyAmount = fc.bigInt({ min: 0n, max: 2n ** 72n - 1n })
const anyBps = fc.integer({ min: 0, max: 10_000 })

/** Shares that sum to exactly 10000, each at least 1. */
const anyShares = fc
  .uniqueArray(fc.integer({ min: 1, max: 9999 }), { maxLength: 49 })
  .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), 10_000])
  .map((edges) => edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0)))

describe('fees', () => {
  test('given any amount, then they are never above their share, less than one base unit below it, and nothing is lost', () => {
    fc.assert(
      fc.property(anyAmount, anyBps, (gross, bps) => {
        const { platformFee, workerPayment } = splitFee(gross, bps)
        expect(platformFee + workerPayment).toBe(gross)
        expect(platformFee * 10_000n).toBeLessThanOrEqual(gross * BigInt(bps))
        expect((platformFee + 1n) * 10_000n).toBeGreaterThan(gross * BigInt(bps))
        expect(workerPayment).toBeGreaterThanOrEqual(0n)
      }),
    )
  })
})

describe('a split', () => {
  test('given any shares, then it sums to the reward, and rank 1 alone gets more than its share, by less than one base unit a winner', () => {
    fc.assert(
      fc.property(anyAmount, anyShares, (reward, shares) => {
        const grosses = splitReward(reward, shares)
        expect(grosses.reduce((sum, gross) => sum + gross, 0n)).toBe(reward)
        const [first = 0n, ...others] = grosses
        expect(others).toEqual(shares.slice(1).map((share) => partOf(reward, share)))
        const remainder = first - partOf(reward, shares[0] ?? 0)
        expect(remainder).toBeGreaterThanOrEqual(0n)
        expect(remainder).toBeLessThan(BigInt(shares.length))
      }),
    )
  })
})

describe('the net reward', () => {
  const terms = { mode: 'bounty', reward: 1_000_000n, price: null, platformFeeBps: 750 }

  test.each([
    ['a bounty', terms, 925_000n],
    ['a bounty with an evaluator, whose fee comes first', { ...terms, evaluatorFeeBps: 1000 }, 832_500n],
    ['an auction without a price', { ...terms, mode: 'auction' }, null],
    ['an auction with one', { ...terms, mode: 'auction', price: 400_000n }, 370_000n],
  ])('given %s, then it is what the fees leave', (_name, given, net) => {
    expect(netRewardOf(given)).toBe(net)
  })
})
