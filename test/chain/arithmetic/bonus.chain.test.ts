import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BonusAccount,
  type BonusAward,
  type BonusCompletion,
  type BonusOutcome,
  bonusRoles,
  creditAwards,
  type SkipReason,
  skipReasons,
} from '../../../protocol/rules/bonus.ts'
import { byDepth } from '../../support/depth.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { type ArithmeticHarness, openArithmeticHarness } from './arithmetic-harness.ts'

/**
 * The read side computes bonuses again that the hook credits. Both are given the same completions, and must agree on every
 * base unit, on why nothing was credited, and on every record afterwards.
 */
const CASES = byDepth(1_000, 20_000)
/** Few enough for one call’s gas. */
const BATCH = 100
const SEED = 8195
const LARGEST_AWARD = 2n ** 72n - 1n
const UNCAPPED = 2n ** 48n - 1n
const NOW = 1_760_000_000n

interface BonusCase {
  completion: BonusCompletion
  awards: BonusAward[]
  accounts: Map<string, BonusAccount>
}

let harness: ArithmeticHarness
let random: Random

beforeAll(async () => {
  harness = await openArithmeticHarness('BonusHarness')
  random = createRandom(SEED)
})

afterAll(async () => {
  await harness?.close()
})

test('given any completion and programme, when its awards are credited, then both sides credit the same', async () => {
  const seen = new Map<SkipReason | 'credited', number>()
  const aspects = new Map<string, number>()
  let compared = 0
  while (compared < CASES) {
    const cases = Array.from({ length: BATCH }, aCase)
    const answers = (await harness.ask('bonuses', [cases.map(toSolidity)])) as Result[]
    for (const [index, one] of cases.entries()) {
      const before = structuredClone(one)
      const outcomes = creditAwards(one.completion, one.awards, one.accounts)
      expect(toOutcomes(answers[index])).toEqual(outcomes)
      expect(answers[index]?.records).toEqual([...one.accounts.values()].map(toRecord))
      expect(toTotals(answers[index])).toEqual(totalsOf(one.completion, outcomes))
      for (const aspect of aspectsOf(before, outcomes)) aspects.set(aspect, (aspects.get(aspect) ?? 0) + 1)
      for (const { skipped } of outcomes) seen.set(skipped ?? 'credited', (seen.get(skipped ?? 'credited') ?? 0) + 1)
    }
    compared += cases.length
  }
  // The cases mean something only if every rule decided some of them.
  expect([...seen.keys()].toSorted()).toEqual(['credited', ...skipReasons].toSorted())
  expect(Math.min(...seen.values())).toBeGreaterThan(5)
  expect(everyAspect.filter((aspect) => (aspects.get(aspect) ?? 0) <= 5)).toEqual([])
})

const everyAspect = [
  'bound by the fee',
  'bound by the drift',
  'a part of the locked value',
  'several winners credited',
  'a share by age',
  'cut by a cap or the reserve',
  'sums of an earlier epoch',
] as const

/** What decided the numbers of a case that was credited. */
function aspectsOf({ completion, awards, accounts }: BonusCase, outcomes: readonly BonusOutcome[]) {
  const credits = outcomes.flatMap((outcome) => (outcome.skipped === null ? [outcome] : []))
  const { lock, terms, feeBps } = completion
  const fullValueOf = (amount: bigint) =>
    lock === null
      ? (amount * BigInt(terms.bonusBps)) / 10_000n
      : (((lock.price * BigInt(lock.bonusBps)) / 10_000n) * amount) / lock.price
  const isOf = {
    'bound by the fee': credits.some(
      ({ usdBonus, rank }) => feeBps > 0 && usdBonus < fullValueOf(awards[rank - 1]?.amount ?? 0n),
    ),
    'bound by the drift': credits.some(({ tokenPerUsdc }) => lock !== null && tokenPerUsdc < lock.tokenPerUsdc),
    'a part of the locked value': credits.length > 0 && lock !== null && (awards[0]?.amount ?? 0n) < lock.price,
    'several winners credited': new Set(credits.map(({ rank }) => rank)).size > 1,
    'a share by age': credits.some(({ multiplierBps }) => multiplierBps < 10_000),
    'cut by a cap or the reserve': credits.some(
      ({ credited, share, multiplierBps }) => credited < (share * BigInt(multiplierBps)) / 10_000n,
    ),
    'sums of an earlier epoch': credits.some(({ account, role }) => {
      const record = accounts.get(account)
      const used = role === 'worker' ? record?.workerUsd : record?.requesterUsd
      return record?.epoch !== completion.epoch && (used ?? 0n) > 0n
    }),
  }
  return everyAspect.filter((aspect) => isOf[aspect])
}

/** What the epoch and the reserve are after a case. */
function totalsOf({ usdOfEpoch, tokensOfEpoch }: BonusCompletion, outcomes: readonly BonusOutcome[]) {
  const credits = outcomes.flatMap((outcome) => (outcome.skipped === null ? [outcome] : []))
  const credited = credits.reduce((sum, one) => sum + one.credited, 0n)
  return {
    usdOfEpoch: usdOfEpoch + credits.reduce((sum, one) => sum + one.usdCredited, 0n),
    tokensOfEpoch: tokensOfEpoch + credited,
    credited,
  }
}

function toTotals(result: Result | undefined) {
  return { usdOfEpoch: result?.usdOfEpoch, tokensOfEpoch: result?.tokensOfEpoch, credited: result?.credited }
}

function aCase(): BonusCase {
  const addresses = Array.from({ length: 5 }, () => `0x${random.word().slice(26)}`)
  const [requester = '', ...workers] = addresses
  const isContest = random.chance(0.5)
  const awards = Array.from({ length: isContest ? 1 + random.below(4) : 1 }, (_, index) => ({
    worker: random.chance(0.06) ? requester : (workers[index] ?? requester),
    amount: anAmount(),
    rank: index + 1,
  }))
  const terms = { tokenPerUsdc: aRate(), bonusBps: someBps(750), workerSplitBps: someBps(8000) }
  const [{ amount } = { amount: 1n }] = awards
  const threefold = 3n * amount > LARGEST_AWARD ? LARGEST_AWARD : 3n * amount
  const price = random.pick([amount, threefold, anAmount()])
  const lock = { tokenPerUsdc: aRate(), bonusBps: someBps(750), workerSplitBps: someBps(8000), price }
  const epoch = random.below(500)
  const completion: BonusCompletion = {
    requester,
    isContest,
    terms,
    feeBps: random.pick([0, 1, 750, 750, 750, 2000, random.below(2001)]),
    bounds: {
      maxBonusPerFeeBps: random.pick([0, 10_000, 10_000, 10_000, 10_000, 20_000, random.below(40_000)]),
      maxRateDriftBps: random.pick([0, 20_000, 20_000, 20_000, 20_000, random.below(100_000)]),
    },
    caps: {
      globalUsd: aCap(),
      workerUsd: aCap(),
      requesterUsd: aCap(),
      taskUsd: aCap(),
      globalTokens: random.chance(0.7) ? 2n ** 128n - 1n : randomBelow(10n ** BigInt(random.below(30))),
    },
    ramp: {
      afterSeconds: [1_209_600, 2_419_200, 4_838_400],
      multiplierBps: random.pick([
        [0, 2500, 5000, 10_000],
        [10_000, 10_000, 10_000, 10_000],
        [1, 3333, 6667, 9999],
      ] as const),
    },
    // A lock is never of a price below the contract's least.
    lock: isContest || random.chance(0.1) ? null : { ...lock, price: lock.price < 1n ? 1n : lock.price },
    time: NOW,
    epoch,
    usdOfEpoch: random.chance(0.5) ? 0n : randomBelow(UNCAPPED),
    tokensOfEpoch: random.chance(0.5) ? 0n : randomBelow(10n ** 27n),
    reserve: random.chance(0.7) ? 10n ** 33n : randomBelow(10n ** BigInt(random.below(30))),
  }
  return { completion, awards, accounts: new Map(addresses.map((address) => [address, aRecord(epoch)])) }
}

function aRecord(epoch: number): BonusAccount {
  const age = random.pick([0, 1_209_599, 1_209_600, 2_419_199, 2_419_200, 4_838_399, 4_838_400, 9_000_000])
  return {
    firstSeen: NOW - BigInt(age),
    epoch: random.chance(0.5) ? epoch : random.below(500),
    workerUsd: random.chance(0.5) ? 0n : randomBelow(10n ** BigInt(random.below(14))),
    requesterUsd: random.chance(0.5) ? 0n : randomBelow(10n ** BigInt(random.below(14))),
    claimable: random.pick([0n, 2n ** 112n - 1n - randomBelow(10n ** 20n), randomBelow(10n ** 24n)]),
  }
}

interface Result {
  outcomes: {
    account: string
    role: number
    rank: number
    isCredited: boolean
    reason: number
    usdBonus: bigint
    usdCredited: bigint
    tokenPerUsdc: bigint
    share: bigint
    multiplierBps: bigint
    credited: bigint
  }[]
  records: unknown[]
  usdOfEpoch: bigint
  tokensOfEpoch: bigint
  credited: bigint
}

/** The model's form of what the harness answers. */
function toOutcomes(result: Result | undefined): BonusOutcome[] {
  const outcomes = result?.outcomes ?? []
  return outcomes
    .filter(({ rank }) => rank > 0)
    .map(({ account, role, rank, isCredited, reason, multiplierBps, ...amounts }) => {
      const common = { account: account.toLowerCase(), role: bonusRoles[role] ?? 'award', rank }
      if (!isCredited) return { ...common, skipped: skipReasons[reason] ?? 'too_small' }
      return { ...common, skipped: null, multiplierBps: Number(multiplierBps), ...amounts }
    })
}

function toSolidity({ completion, awards, accounts }: BonusCase) {
  const { lock, requester: _requester, ...rest } = completion
  const noLock = { tokenPerUsdc: 0n, price: 0n, bonusBps: 0, workerSplitBps: 0, round: 0 }
  return {
    ...rest,
    lock: lock === null ? noLock : { ...lock, round: 0 },
    feeBps: BigInt(rest.feeBps),
    awards,
    accounts: [...accounts.keys()],
    records: [...accounts.values()].map(toRecord),
  }
}

function toRecord({ firstSeen, ...record }: BonusAccount) {
  return {
    ...record,
    firstSeen: Number(firstSeen),
    workerUsd: Number(record.workerUsd),
    requesterUsd: Number(record.requesterUsd),
  }
}

function anAmount(): bigint {
  return random.pick([
    1n,
    1000n,
    LARGEST_AWARD,
    10_000_000n,
    10_000_000n,
    50_000_000n,
    BigInt(1 + random.below(10_000)),
    BigInt(1 + random.below(100_000_000)),
    1n + randomBelow(LARGEST_AWARD),
  ])
}

function aRate(): bigint {
  const usual = 10n ** 19n
  return random.pick([
    0n,
    1n,
    1_000_000n,
    usual,
    usual,
    usual,
    usual,
    usual,
    usual,
    randomBelow(10n ** 24n),
    2n ** 128n - 1n,
  ])
}

function aCap(): bigint {
  return random.pick([0n, UNCAPPED, UNCAPPED, UNCAPPED, UNCAPPED, randomBelow(10n ** BigInt(1 + random.below(14)))])
}

function someBps(usual: number): number {
  return random.pick([usual, usual, usual, usual, usual, 0, 1, 9999, 10_000, random.below(10_001)])
}

function randomBelow(bound: bigint): bigint {
  return BigInt(random.word()) % bound
}
