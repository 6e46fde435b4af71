import { describe, expect, test } from 'vitest'
import {
  type BonusAccount,
  type BonusAward,
  type BonusCompletion,
  creditAwards,
} from '../../../protocol/rules/bonus.ts'

/** Interface, "Token bonus": every number below is computed by hand from its sentences. */

const NOW = 1_760_000_000n
const WEEK = 604_800n
const TOKEN = 10n ** 18n
const UNCAPPED = 2n ** 48n - 1n

/** 10 tokens for one USDC, the defaults else, nothing capped, and every wallet of full age. */
function aCompletion(changes: Partial<BonusCompletion> = {}): BonusCompletion {
  const terms = { tokenPerUsdc: 10n * TOKEN, bonusBps: 750, workerSplitBps: 8000 }
  return {
    requester: 'requester',
    feeBps: 750,
    isContest: true,
    terms,
    bounds: { maxBonusPerFeeBps: 10_000, maxRateDriftBps: 20_000 },
    caps: {
      globalUsd: UNCAPPED,
      workerUsd: UNCAPPED,
      requesterUsd: UNCAPPED,
      taskUsd: UNCAPPED,
      globalTokens: 2n ** 128n - 1n,
    },
    ramp: {
      afterSeconds: [Number(2n * WEEK), Number(4n * WEEK), Number(8n * WEEK)],
      multiplierBps: [0, 2500, 5000, 10_000],
    },
    lock: null,
    time: NOW,
    epoch: 3,
    usdOfEpoch: 0n,
    tokensOfEpoch: 0n,
    reserve: 10n ** 30n,
    ...changes,
  }
}

function anAccount(changes: Partial<BonusAccount> = {}): BonusAccount {
  return { firstSeen: NOW - 8n * WEEK, epoch: 3, workerUsd: 0n, requesterUsd: 0n, claimable: 0n, ...changes }
}

function credit(
  completion: BonusCompletion,
  awards: [worker: string, amount: bigint][],
  accounts: Record<string, BonusAccount> = {},
) {
  const named = new Map(['requester', 'alice', 'bob'].map((name) => [name, accounts[name] ?? anAccount()]))
  const list: BonusAward[] = awards.map(([worker, amount], index) => ({ worker, amount, rank: index + 1 }))
  return creditAwards(completion, list, named).map((outcome) => [
    outcome.account,
    ...(outcome.skipped === null ? [outcome.usdCredited, outcome.credited] : [outcome.skipped]),
  ])
}

describe('given an award of 1.000001 USDC at a rate of 3 base units', () => {
  // 75000 of USDC, 0 tokens left over by the division: 225000 / 1000000 is below one base unit.
  test('then a bonus below one base unit of the token is skipped as a whole', () => {
    const terms = { tokenPerUsdc: 3n, bonusBps: 750, workerSplitBps: 8000 }
    expect(credit(aCompletion({ terms }), [['alice', 1_000_001n]])).toEqual([['alice', 'too_small']])
  })
})

describe('given an award of 13.33 USDC', () => {
  // 13330000 * 750 / 10000 = 999750; tokens 9.9975; the worker 799800 and 7.998, the requester 199950 and 1.9995.
  const award: [string, bigint][] = [['alice', 13_330_000n]]

  test('then the requester has what the worker’s part leaves', () => {
    expect(credit(aCompletion(), award)).toEqual([
      ['alice', 799_800n, 7_998n * 10n ** 15n],
      ['requester', 199_950n, 19_995n * 10n ** 14n],
    ])
  })

  test.each([
    [2n * WEEK - 1n, ['alice', 'wallet_age']],
    [2n * WEEK, ['alice', 199_950n, 19_995n * 10n ** 14n]],
    [4n * WEEK - 1n, ['alice', 199_950n, 19_995n * 10n ** 14n]],
    [4n * WEEK, ['alice', 399_900n, 3_999n * 10n ** 15n]],
    [8n * WEEK - 1n, ['alice', 399_900n, 3_999n * 10n ** 15n]],
    [8n * WEEK, ['alice', 799_800n, 7_998n * 10n ** 15n]],
  ])('then a wallet of %d seconds has its part', (age, expected) => {
    const alice = anAccount({ firstSeen: NOW - age })
    expect(credit(aCompletion(), award, { alice })[0]).toEqual(expected)
  })

  test('then a fee of 5 % bounds it: 666500, of which 533200 and 133300', () => {
    expect(credit(aCompletion({ feeBps: 500 }), award)).toEqual([
      ['alice', 533_200n, 5_332n * 10n ** 15n],
      ['requester', 133_300n, 1_333n * 10n ** 15n],
    ])
  })

  test('then a bound of half the fee rounds down after the fee did', () => {
    // floor(999750 / 2) = 499875: 399900 and 99975.
    const bounds = { maxBonusPerFeeBps: 5000, maxRateDriftBps: 20_000 }
    expect(credit(aCompletion({ bounds }), award)).toEqual([
      ['alice', 399_900n, 3_999n * 10n ** 15n],
      ['requester', 99_975n, 99_975n * 10n ** 13n],
    ])
  })

  test('then an account of an earlier epoch has all of its cap, and one of this epoch what is left', () => {
    const caps = { ...aCompletion().caps, workerUsd: 700_000n }
    const used = { workerUsd: 650_000n }
    const last = credit(aCompletion({ caps }), award, { alice: anAccount({ ...used, epoch: 2 }) })
    // 7.998 * 700000 / 799800 tokens, which are 7 exactly.
    expect(last[0]).toEqual(['alice', 700_000n, 7n * TOKEN])
    const now = credit(aCompletion({ caps }), award, { alice: anAccount(used) })
    expect(now[0]).toEqual(['alice', 50_000n, TOKEN / 2n])
  })
})

describe('given several limits below a bonus of 600000 base units and 1000000 base units of the token', () => {
  const terms = { tokenPerUsdc: 1_666_667n, bonusBps: 750, workerSplitBps: 8000 }
  const award: [string, bigint][] = [['alice', 10_000_000n]]

  test('then it is cut once to the least cap: 1000000 * 3 / 600000', () => {
    const caps = { ...aCompletion().caps, workerUsd: 5n, taskUsd: 4n, globalUsd: 3n }
    expect(credit(aCompletion({ terms, caps }), award)).toEqual([
      ['alice', 3n, 5n],
      ['requester', 'global_cap'],
    ])
  })

  test('then it is cut once to the fewer tokens: 600000 * 3 / 1000000, rounded up', () => {
    const caps = { ...aCompletion().caps, globalTokens: 4n }
    expect(credit(aCompletion({ terms, caps, reserve: 3n }), award)).toEqual([
      ['alice', 2n, 3n],
      ['requester', 'reserve'],
    ])
  })
})

describe('given a lock of 20 USDC at 10 tokens', () => {
  const lock = { tokenPerUsdc: 10n * TOKEN, bonusBps: 750, workerSplitBps: 8000, price: 20_000_000n }
  const ofClaim = (changes: Partial<BonusCompletion>) => aCompletion({ isContest: false, lock, ...changes })
  const at = (tokenPerUsdc: bigint) => ({ tokenPerUsdc, bonusBps: 1, workerSplitBps: 1 })

  test.each([
    [at(100n * TOKEN), 12n * TOKEN],
    [at(5n * TOKEN), 12n * TOKEN],
    // At 4 tokens the locked rate counts 8.
    [at(4n * TOKEN), (96n * TOKEN) / 10n],
  ])('then bonus and division are the locked ones, and the rate at most twice the present one', (terms, tokens) => {
    expect(credit(ofClaim({ terms }), [['alice', 20_000_000n]])[0]).toEqual(['alice', 1_200_000n, tokens])
  })

  test('then it earns nothing while there is no rate', () => {
    expect(credit(ofClaim({ terms: at(0n) }), [['alice', 20_000_000n]])).toEqual([['alice', 'no_rate']])
  })

  test('then an award below the price earns its part of the value', () => {
    // An evaluator took 5 %: 1500000 * 19 / 20 = 1425000; a third of that is awarded: 6333333 -> 474999.
    expect(credit(ofClaim({}), [['alice', 19_000_000n]])[0]).toEqual(['alice', 1_140_000n, (114n * TOKEN) / 10n])
    // 474999 * 8000 / 10000 = 379999; of 4.74999 tokens 3.799992.
    expect(credit(ofClaim({}), [['alice', 6_333_333n]])[0]).toEqual(['alice', 379_999n, 3_799_992n * 10n ** 12n])
  })

  test('then an assignment that was not recorded earns nothing', () => {
    expect(credit(ofClaim({ lock: null }), [['alice', 20_000_000n]])).toEqual([['alice', 'no_lock']])
  })
})

describe('given three awards of 10 USDC, the second to the requester itself', () => {
  test('then each finds what those before it left, the worker before the requester', () => {
    // 600000 and 150000 each; the task has 1000000: all of alice’s, none of the requester’s own, then 250000 of bob’s.
    const caps = { ...aCompletion().caps, taskUsd: 1_000_000n }
    const awards: [string, bigint][] = [
      ['alice', 10_000_000n],
      ['requester', 10_000_000n],
      ['bob', 10_000_000n],
    ]
    expect(credit(aCompletion({ caps }), awards)).toEqual([
      ['alice', 600_000n, 6n * TOKEN],
      ['requester', 150_000n, (15n * TOKEN) / 10n],
      ['requester', 'self_award'],
      ['bob', 250_000n, (25n * TOKEN) / 10n],
      ['requester', 'task_cap'],
    ])
  })
})

describe('given an award of 10 USDC at 10 tokens', () => {
  const award: BonusAward = { worker: 'alice', amount: 10_000_000n, rank: 4 }
  const caps = aCompletion().caps

  test('then each side has its record and its sums, those of the programme are lower by both', () => {
    const accounts = new Map([
      ['alice', anAccount({ workerUsd: 5n, claimable: 1n })],
      ['requester', anAccount({ requesterUsd: 7n, claimable: 2n })],
    ])
    const common = { rank: 4, skipped: null, usdBonus: 750_000n, tokenPerUsdc: 10n * TOKEN, multiplierBps: 10_000 }
    const [ofWorker, ofRequester] = [6n * TOKEN, (15n * TOKEN) / 10n]
    expect(creditAwards(aCompletion(), [award], accounts)).toEqual([
      { ...common, account: 'alice', role: 'worker', usdCredited: 600_000n, share: ofWorker, credited: ofWorker },
      {
        ...common,
        account: 'requester',
        role: 'requester',
        usdCredited: 150_000n,
        share: ofRequester,
        credited: ofRequester,
      },
    ])
    expect([...accounts.values()]).toEqual([
      anAccount({ workerUsd: 600_005n, claimable: ofWorker + 1n }),
      anAccount({ requesterUsd: 150_007n, claimable: ofRequester + 2n }),
    ])
  })

  test.each([
    ['the tokens of the epoch', { caps: { ...caps, globalTokens: 7n * TOKEN } }, [100_000n, TOKEN]],
    ['the reserve', { reserve: 7n * TOKEN }, [100_000n, TOKEN]],
    ['the USDC of the epoch', { caps: { ...caps, globalUsd: 700_000n } }, [100_000n, TOKEN]],
    ['the cap of a requester', { caps: { ...caps, requesterUsd: 100_000n } }, [100_000n, TOKEN]],
    [
      'the tokens of an epoch that gave some',
      { caps: { ...caps, globalTokens: 9n * TOKEN }, tokensOfEpoch: 2n * TOKEN },
      [100_000n, TOKEN],
    ],
    [
      'the USDC of an epoch that gave some',
      { caps: { ...caps, globalUsd: 900_000n }, usdOfEpoch: 200_000n },
      [100_000n, TOKEN],
    ],
  ])('then %s that the worker leaves bound the requester', (_, changes, expected) => {
    expect(credit(aCompletion(changes), [['alice', 10_000_000n]])).toEqual([
      ['alice', 600_000n, 6n * TOKEN],
      ['requester', ...expected],
    ])
  })

  test.each([
    ['account_cap', { caps: { ...caps, workerUsd: 0n } }],
    ['task_cap', { caps: { ...caps, taskUsd: 0n } }],
    ['global_cap', { caps: { ...caps, globalUsd: 0n } }],
    ['token_cap', { caps: { ...caps, globalTokens: 0n } }],
    ['reserve', { reserve: 0n }],
    // The first of equal ones.
    ['account_cap', { caps: { ...caps, workerUsd: 0n, taskUsd: 0n, globalUsd: 0n } }],
    ['task_cap', { caps: { ...caps, taskUsd: 0n, globalUsd: 0n } }],
    ['token_cap', { caps: { ...caps, globalTokens: 0n }, reserve: 0n }],
    // More was credited than a cap that was lowered meanwhile.
    ['global_cap', { caps: { ...caps, globalUsd: 1n }, usdOfEpoch: 2n }],
    ['token_cap', { caps: { ...caps, globalTokens: 1n }, tokensOfEpoch: 2n }],
    ['fee_bound', { feeBps: 0 }],
  ])('then it is skipped for %s', (cause, changes) => {
    expect(credit(aCompletion(changes), [['alice', 10_000_000n]])[0]).toEqual(['alice', cause])
  })

  test('then a claim has room for 112 bits', () => {
    const full = { alice: anAccount({ claimable: 2n ** 112n - 1n }) }
    expect(credit(aCompletion(), [['alice', 10_000_000n]], full)[0]).toEqual(['alice', 'reserve'])
    const oneLeft = { alice: anAccount({ claimable: 2n ** 112n - 2n }) }
    expect(credit(aCompletion(), [['alice', 10_000_000n]], oneLeft)[0]).toEqual(['alice', 1n, 1n])
  })

  test('then a contest does not count a lock', () => {
    const lock = { tokenPerUsdc: TOKEN, bonusBps: 1, workerSplitBps: 1, price: 1n }
    expect(credit(aCompletion({ lock }), [['alice', 10_000_000n]])).toEqual([
      ['alice', 600_000n, 6n * TOKEN],
      ['requester', 150_000n, (15n * TOKEN) / 10n],
    ])
  })

  test('then an account that was never seen is a fault', () => {
    expect(() => creditAwards(aCompletion(), [award], new Map())).toThrow('alice was never seen')
  })
})

describe('given parts below one base unit', () => {
  test('then a value of none is too small, whatever the fee', () => {
    expect(credit(aCompletion(), [['alice', 1n]])).toEqual([['alice', 'too_small']])
  })

  test('then a side without USDC, or without tokens, is too small, though its wallet is of age', () => {
    // 15 * 750 / 10000 = 1 base unit of USDC: none for the worker, all for the requester.
    expect(credit(aCompletion(), [['alice', 15n]])).toEqual([
      ['alice', 'too_small'],
      ['requester', 1n, 2n * 10n ** 12n],
    ])
    // 750000 of USDC at 2 base units: 1 of the token.
    const terms = { tokenPerUsdc: 2n, bonusBps: 750, workerSplitBps: 8000 }
    expect(credit(aCompletion({ terms }), [['alice', 10_000_000n]])).toEqual([
      ['alice', 'too_small'],
      ['requester', 150_000n, 1n],
    ])
  })
})

test('given a lock with a lower bonus than the fee’s bound, then its part of the price counts', () => {
  // 20 USDC * 5 % * half of the price: 500000, of which 400000.
  const lock = { tokenPerUsdc: 10n * TOKEN, bonusBps: 500, workerSplitBps: 8000, price: 20_000_000n }
  expect(credit(aCompletion({ isContest: false, lock }), [['alice', 10_000_000n]])).toEqual([
    ['alice', 400_000n, 4n * TOKEN],
    ['requester', 100_000n, TOKEN],
  ])
})
