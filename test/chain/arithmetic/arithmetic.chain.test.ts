import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockPriceAt } from '../../../protocol/clock-price.ts'
import { splitReward, verdictPayouts } from '../../../protocol/payouts.ts'
import { partOf } from '../../../protocol/rules/amounts.ts'
import { byDepth } from '../../support/depth.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { type ArithmeticHarness, openArithmeticHarness } from './arithmetic-harness.ts'

/**
 * The service computes the prices, shares, fees and payouts of the contracts. Both get the same cases, a third of
 * them at a bound, and must agree on every base unit.
 */
const CASES = byDepth(1_000, 12_000)
/** Cases of one call, within its gas limit. */
const BATCH = 200
/** The maximum amount that the market can hold. */
const LARGEST = 2n ** 72n - 1n
const SEED = 8195

let harness: ArithmeticHarness
let random: Random

beforeAll(async () => {
  harness = await openArithmeticHarness('ArithmeticHarness')
  random = createRandom(SEED)
})

afterAll(async () => {
  await harness?.close()
})

test('given any clock auction and time, when its price is computed, then both are equal', async () => {
  await expectSame(
    aClock,
    'clockPrices',
    (cases) => [
      cases.map(({ auctionType, maximum, clockPrice, createdAt, bidDeadline, now }) => ({
        isDutch: auctionType === 'dutch',
        maximum,
        other: clockPrice,
        createdAt,
        deadline: bidDeadline,
        now_: now,
      })),
    ],
    ({ now, ...clock }) => clockPriceAt(clock, now),
  )
})

test('given any amount and rate, when a fee is computed, then both are equal', async () => {
  await expectSame(
    () => ({ amount: anAmount(0n), bps: someBps() }),
    'parts',
    (cases) => [cases.map(({ amount }) => amount), cases.map(({ bps }) => BigInt(bps))],
    ({ amount, bps }) => partOf(amount, bps),
  )
})

test('given any reward and shares, when it is split, then both splits are equal', async () => {
  await expectSame(
    () => ({ reward: anAmount(1000n), shares: someShares(1 + random.below(50)) }),
    'splits',
    (cases) => [cases.map(({ reward }) => reward), cases.map(({ shares }) => shares.map(BigInt))],
    ({ reward, shares }) => splitReward(reward, shares),
  )
})

test('given any verdict, when it is paid, then both pay every account the same', async () => {
  await expectSame(
    aVerdict,
    'verdicts',
    (cases) => [
      cases.map(({ base, evaluatorFeeBps, platformFeeBps, awards }) => ({
        base,
        evaluatorFeeBps: BigInt(evaluatorFeeBps),
        feeBps: BigInt(platformFeeBps),
        grosses: awards,
      })),
    ],
    ({ awards, ...terms }) => {
      const { evaluatorFee, awards: paid, returned } = verdictPayouts('partial', awards, terms)
      const sum = paid.reduce((total, award) => total + award.platformFee + award.workerPayment, 0n)
      expect(evaluatorFee + sum + returned).toBe(terms.base)
      expect(returned).toBeGreaterThanOrEqual(0n)
      return {
        evaluatorFee,
        fees: paid.map(({ platformFee }) => platformFee),
        nets: paid.map(({ workerPayment }) => workerPayment),
      }
    },
  )
})

/** Generates cases, calls the contract in batches, and compares each answer with the service's. */
async function expectSame<Case>(
  make: () => Case,
  functionName: string,
  toArgs: (cases: Case[]) => unknown[],
  compute: (one: Case) => unknown,
): Promise<void> {
  let compared = 0
  while (compared < CASES) {
    const cases = Array.from({ length: BATCH }, make)
    const answers = await harness.ask(functionName, toArgs(cases))
    expect(cases.map(compute)).toEqual(answers)
    compared += cases.length
  }
}

function aClock() {
  const maximum = anAmount(1000n)
  const clockPrice = random.pick([1n, maximum, 1n + (randomBelow(LARGEST) % maximum)])
  const createdAt = 1_750_000_000n + BigInt(random.below(1_000_000))
  const duration = 1n + BigInt(random.pick([0, 1, random.below(3600), random.below(315_360_000)]))
  const elapsed = random.pick([0n, 1n, duration - 1n, duration, duration + 1n, randomBelow(2n * duration)])
  return {
    auctionType: random.pick(['dutch', 'reverse_dutch'] as const),
    maximum,
    clockPrice,
    createdAt,
    bidDeadline: createdAt + duration,
    now: createdAt + elapsed,
  }
}

function aVerdict() {
  const base = anAmount(1000n)
  const platformFeeBps = random.pick([0, 750, 2000, random.below(2001)])
  const evaluatorFeeBps = random.pick([0, 10_000 - platformFeeBps, random.below(10_001 - platformFeeBps)])
  let left = base - partOf(base, evaluatorFeeBps)
  const awards: bigint[] = []
  for (let count = random.below(6); count > 0 && left > 0n; count -= 1) {
    const gross = random.chance(0.2) ? left : 1n + (randomBelow(LARGEST) % left)
    awards.push(gross)
    left -= gross
  }
  return { base, platformFeeBps, evaluatorFeeBps, awards }
}

/** Shares that sum to 10000, some of them small. */
function someShares(count: number): number[] {
  const cuts = Array.from({ length: count - 1 }, () => random.below(10_001)).sort((a, b) => a - b)
  const bounds = [0, ...cuts, 10_000]
  return bounds.slice(1).map((bound, index) => bound - (bounds[index] ?? 0))
}

function someBps(): number {
  return random.pick([0, 1, 9999, 10_000, random.below(10_001)])
}

function anAmount(least: bigint): bigint {
  return random.pick([
    least,
    least + 1n,
    LARGEST,
    least + BigInt(random.below(10_000)),
    least + randomBelow(LARGEST - least),
  ])
}

function randomBelow(bound: bigint): bigint {
  return BigInt(random.word()) % bound
}
