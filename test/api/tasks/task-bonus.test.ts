import { type Address, getAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { taskDetailSchema } from '../../../api/features/tasks/tasks.schemas.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import type { TestApi } from '../../support/api.ts'
import { aProgramme, insertAccount, insertCredit, insertLock, insertSkip } from '../../support/bonus-rows.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor()
const alice = anActor()

const api = aStartedApi()
let attached: { hookSet: `0x${string}` }

async function detailOf(taskId: string) {
  return taskDetailSchema.parse((await api.get(`/api/tasks/${taskId}`)).body)
}

const nothing = {
  tokenPerUsdc: '0',
  bonusBps: 0,
  estimatedUsdBonusValue: '0',
  estimatedWorkerUsdBonusValue: '0',
  estimatedRequesterUsdBonusValue: '0',
  estimatedWorkerTokenBonus: '0',
  estimatedRequesterTokenBonus: '0',
  bonus: {
    locked: false,
    workerMultiplierBps: null,
    requesterMultiplierBps: null,
    effectiveWorkerToken: null,
    effectiveRequesterToken: null,
    credits: [],
  },
}

test('given no programme, then every field is zero', async () => {
  const task = await api.seed.task({ requester: requester.address })
  expect(await detailOf(task.id)).toMatchObject(nothing)
  expect((await api.get('/api/wallet/exchange-rate')).body).toEqual({
    tokenPerUsdc: '0',
    workerSplitBps: 0,
    bonusBps: 0,
  })
  expect((await api.get(`/api/wallet/token-balance?address=${alice.address}`)).body).toEqual({
    claimableBaseUnits: '0',
  })
})

describe('given a programme of 10 tokens for one USDC', () => {
  beforeAll(async () => {
    const hook = await aProgramme(api.sql)
    attached = { hookSet: await api.seed.hookSet([hook], 1) }
  })

  test('then the rate and its procedure show its terms', async () => {
    const terms = { tokenPerUsdc: '10000000000000000000', workerSplitBps: 8000, bonusBps: 750 }
    expect((await api.get('/api/wallet/exchange-rate')).body).toEqual(terms)
    expect((await api.get('/trpc/wallet.exchangeRate')).body).toEqual({ result: { data: terms } })
  })

  test('given a task whose requester named the programme as an own hook, then it earns nothing', async () => {
    const [row] = await api.sql<{ hook: Address }[]>`select hook from bonus_programme`
    const hookSet = await api.seed.hookSet([row?.hook ?? '0x'], 0)
    const task = await api.seed.task({ requester: requester.address, hookSet })
    expect(await detailOf(task.id)).toMatchObject(nothing)
  })

  test('given an open bounty of 5 USDC, then the estimates are of its reward, before any multiplier, and zero in a fee holiday', async () => {
    const task = await api.seed.task({ requester: requester.address, ...attached })
    expect(await detailOf(task.id)).toMatchObject({
      tokenPerUsdc: '10000000000000000000',
      bonusBps: 750,
      estimatedUsdBonusValue: '375000',
      estimatedWorkerUsdBonusValue: '300000',
      estimatedRequesterUsdBonusValue: '75000',
      estimatedWorkerTokenBonus: '3000000000000000000',
      estimatedRequesterTokenBonus: '750000000000000000',
      bonus: nothing.bonus,
    })
    const inHoliday = await api.seed.task({ requester: requester.address, platformFeeBps: 0, ...attached })
    expect(await detailOf(inHoliday.id)).toMatchObject({ bonusBps: 750, estimatedUsdBonusValue: '0' })
  })

  test('given an open dutch auction, then the estimates follow its price', async () => {
    const clock = {
      auctionType: 'dutch',
      clockPrice: 1_000_000n,
      createdAtMs: START * 1000n,
      bidDeadline: START + 40_000n,
    }
    const task = await api.seed.task({ requester: requester.address, mode: 'auction', ...clock, ...attached })
    api.chain.now = START + 20_000n
    expect(await detailOf(task.id)).toMatchObject({ currentAuctionPrice: '3000000', estimatedUsdBonusValue: '225000' })
  })

  test('given an assigned worker, then the estimates are of the lock, and a completion now would credit less', async () => {
    api.chain.now = START
    const task = await anAssignedTask(alice)
    expect(await detailOf(task.id)).toMatchObject({ estimatedUsdBonusValue: '0', bonus: { locked: false } })
    // At half of today's rate; of the worker's age a quarter counts, of the requester's all.
    await insertLock(api.sql, task.id, { worker: alice.address, price: 5_000_000n, tokenPerUsdc: 5n * 10n ** 18n })
    await insertAccounts()
    expect(await detailOf(task.id)).toMatchObject({
      tokenPerUsdc: '5000000000000000000',
      estimatedUsdBonusValue: '375000',
      estimatedWorkerTokenBonus: '1500000000000000000',
      estimatedRequesterTokenBonus: '375000000000000000',
      bonus: {
        locked: true,
        workerMultiplierBps: 2500,
        requesterMultiplierBps: 10_000,
        effectiveWorkerToken: '375000000000000000',
        effectiveRequesterToken: '375000000000000000',
        credits: [],
      },
    })
  })

  test('given more credits than were funded, then a completion now would credit zero, not a negative number', async () => {
    // As after credits of tokens that were sent without a call.
    api.chain.now = START
    await api.sql`update bonus_programme set total_credited = total_funded + ${String(5n * 10n ** 18n)}`
    const { task, worker } = await aLockedTask({ tokenPerUsdc: 10n ** 19n })
    await insertAccount(api.sql, worker.address, { firstSeen: START - 31_536_000n, claimable: 0n })
    const { bonus, estimatedWorkerTokenBonus } = await detailOf(task.id)
    await api.sql`update bonus_programme set total_credited = 0`
    expect(bonus).toMatchObject({
      locked: true,
      workerMultiplierBps: 10_000,
      effectiveWorkerToken: '0',
      effectiveRequesterToken: '0',
    })
    expect(estimatedWorkerTokenBonus).toBe('3000000000000000000')
  })

  test('given a completed bounty, then the estimates are of its completion, and the credits are listed', async () => {
    const task = await api.seed.task({ requester: requester.address, status: 'completed', ...attached })
    await insertCredit(api.sql, task.id, { account: alice.address, role: 'worker', credited: 7n })
    await insertCredit(api.sql, task.id, { account: requester.address, role: 'requester', credited: 2n })
    const { bonus, tokenPerUsdc } = await detailOf(task.id)
    expect(tokenPerUsdc).toBe('2000000')
    expect(bonus).toEqual({
      ...nothing.bonus,
      credits: [
        { account: getAddress(alice.address), role: 'worker', rank: 1, usd: '100', tokens: '7', multiplierBps: 10_000 },
        {
          account: getAddress(requester.address),
          role: 'requester',
          rank: 1,
          usd: '100',
          tokens: '2',
          multiplierBps: 10_000,
        },
      ],
    })
  })

  const ofClaim = { estimatedUsdBonusValue: '375000', bonus: { locked: true } }
  const noneOfClaim = { ...nothing, bonus: { locked: true } }
  type Skip = Parameters<typeof insertSkip>[2]

  test.each<[string, Partial<Skip>, object]>([
    // The locked rate counts twice the present one at most.
    [
      'the age of the worker’s wallet left no credit',
      { reason: 'wallet_age' },
      { ...ofClaim, tokenPerUsdc: '4000000' },
    ],
    [
      'the age of the requester’s wallet left no credit',
      { role: 'requester', reason: 'wallet_age' },
      { ...ofClaim, tokenPerUsdc: '4000000' },
    ],
    ['its award earned nothing', { role: 'award', reason: 'no_rate' }, noneOfClaim],
  ])('given a completed claim task, when %s, then its estimates are of its completion', async (_, skip, expected) => {
    const { task, worker } = await aLockedTask({ status: 'completed' })
    await insertSkip(api.sql, task.id, { account: worker.address, role: 'worker', reason: 'wallet_age', ...skip })
    const before = await detailOf(task.id)
    expect(before).toMatchObject(expected)
    // Bounds that change later are not those that it used.
    await api.sql`update bonus_programme set max_bonus_per_fee_bps = 1000, max_rate_drift_bps = 5000`
    const after = await detailOf(task.id)
    await api.sql`update bonus_programme set max_bonus_per_fee_bps = 10000, max_rate_drift_bps = 20000`
    expect(after).toEqual(before)
  })

  test('given a completed claim task, then the estimates are of the rate that was credited, not of the locked one', async () => {
    const { task, worker } = await aLockedTask({ status: 'completed' })
    await insertCredit(api.sql, task.id, { account: worker.address, role: 'worker', credited: 7n })
    expect(await detailOf(task.id)).toMatchObject({
      ...ofClaim,
      tokenPerUsdc: '2000000',
      estimatedWorkerTokenBonus: '600000',
      estimatedRequesterTokenBonus: '150000',
    })
  })

  test('given a bounty that was awarded to its requester, or a task that ended without an award, then every estimate is zero', async () => {
    const bounty = await api.seed.task({ requester: requester.address, status: 'completed', ...attached })
    await insertSkip(api.sql, bounty.id, { account: requester.address, role: 'award', reason: 'self_award' })
    expect(await detailOf(bounty.id)).toMatchObject(nothing)
    for (const status of ['cancelled', 'expired']) {
      const ended = await api.seed.task({ requester: requester.address, status, ...attached })
      expect(await detailOf(ended.id)).toMatchObject(nothing)
      expect(await detailOf((await aLockedTask({ status })).task.id)).toMatchObject(noneOfClaim)
    }
  })

  test('given a requester that is assigned to its own task, then every estimate is zero', async () => {
    const { task } = await aLockedTask({ worker: requester })
    expect(await detailOf(task.id)).toMatchObject({ tokenPerUsdc: '0', estimatedUsdBonusValue: '0' })
  })

  describe('given a verdict that stands until it is appealed', () => {
    const week = 604_800n

    /** A claim task at 5 USDC whose evaluator took a tenth, and awarded what is given. */
    async function aJudgedTask(verdict: 'reject' | 'partial', amount?: bigint) {
      api.chain.now = START
      const { task, worker } = await aLockedTask({ status: 'appealing', tokenPerUsdc: 10n ** 19n })
      await api.seed.evaluation(task.id, anActor().address, { verdict, verdictAt: START, fee: 500_000n })
      if (amount !== undefined) await insertVerdictAward(task.id, worker, { amount, rank: 1 })
      await insertAccount(api.sql, worker.address, { firstSeen: START - 9n * week, claimable: 0n })
      return (await detailOf(task.id)).bonus
    }

    test.each([
      // 5 USDC earn 0.375 USDC; its part by the award, 80 % of it, and 10 tokens for each.
      ['partial', 1_000_000n, '600000000000000000', '150000000000000000'],
      ['reject', undefined, '0', '0'],
    ] as const)('(%s), then a completion now credits by its awards', async (verdict, amount, ofWorker, ofRequester) => {
      expect(await aJudgedTask(verdict, amount)).toMatchObject({
        effectiveWorkerToken: ofWorker,
        effectiveRequesterToken: ofRequester,
      })
    })

    test('over a contest, then it credits each award in order, the first to the worker that is shown', async () => {
      api.chain.now = START
      const [first, second] = [anActor(), anActor()]
      const task = await api.seed.task({
        requester: requester.address,
        status: 'appealing',
        worker: first.address,
        workerAssignedAt: START,
        ...attached,
      })
      await api.seed.evaluation(task.id, anActor().address, { verdict: 'approve', verdictAt: START, fee: 500_000n })
      await insertVerdictAward(task.id, second, { amount: 1_000_000n, rank: 2, awardIndex: 0 })
      await insertVerdictAward(task.id, first, { amount: 3_000_000n, rank: 1, awardIndex: 1 })
      for (const { address } of [first, second]) {
        await insertAccount(api.sql, address, { firstSeen: START - 9n * week, claimable: 0n })
      }
      // The task may earn 0.24 USDC: the second rank is first with 0.06 and 0.015, the first has 0.165 of its 0.18.
      await api.sql`update bonus_programme set task_usd_cap = 240000`
      const { bonus } = await detailOf(task.id)
      await api.sql`update bonus_programme set task_usd_cap = 100000000`
      expect(bonus).toMatchObject({
        locked: false,
        workerMultiplierBps: 10_000,
        effectiveWorkerToken: '1650000000000000000',
        effectiveRequesterToken: '150000000000000000',
      })
    })

    test.each([
      ['and another worker, then the estimates are of the reward', true, '375000'],
      ['alone, then every estimate is zero', false, '0'],
    ])('over a contest, that awards the requester %s', async (_, hasOther, estimatedUsdBonusValue) => {
      const task = await api.seed.task({
        requester: requester.address,
        status: 'appealing',
        worker: requester.address,
        workerAssignedAt: START,
        ...attached,
      })
      await api.seed.evaluation(task.id, anActor().address, { verdict: 'approve', verdictAt: START, fee: 500_000n })
      await insertVerdictAward(task.id, requester, { amount: 1_000_000n, rank: 1 })
      if (hasOther) await insertVerdictAward(task.id, anActor(), { amount: 3_000_000n, rank: 2, awardIndex: 1 })
      expect(await detailOf(task.id)).toMatchObject({ estimatedUsdBonusValue })
    })
  })

  test('then a wallet has the balance of its row, by procedure too', async () => {
    const balance = { claimableBaseUnits: '12345678901234567890' }
    const { address } = alice
    expect((await api.get(`/api/wallet/token-balance?address=${address}`)).body).toEqual(balance)
    const input = encodeURIComponent(JSON.stringify({ address }))
    expect((await api.get(`/trpc/wallet.tokenBalance?input=${input}`)).body).toEqual({ result: { data: balance } })
  })
})

/** A claim task at 5 USDC, assigned to a worker now. */
async function anAssignedTask(worker: Actor, { status = 'claimed' }: { status?: string } = {}) {
  return await api.seed.task({
    requester: requester.address,
    mode: 'claim',
    status,
    worker: worker.address,
    workerAssignedAt: START,
    price: 5_000_000n,
    ...attached,
  })
}

/** The same with a lock of its price and of half of today's rate, unless said otherwise. */
async function aLockedTask({
  worker = anActor(),
  tokenPerUsdc = 5n * 10n ** 18n,
  ...columns
}: {
  worker?: Actor
  status?: string
  tokenPerUsdc?: bigint
} = {}) {
  const task = await anAssignedTask(worker, columns)
  await insertLock(api.sql, task.id, { worker: worker.address, price: 5_000_000n, tokenPerUsdc })
  return { task, worker }
}

async function insertVerdictAward(
  taskId: string,
  worker: Actor,
  { amount, rank, awardIndex = 0 }: { amount: bigint; rank: number; awardIndex?: number },
): Promise<void> {
  await api.sql`insert into verdict_award ${api.sql({
    id: `${taskId}:evaluator:${worker.address}`,
    taskId,
    decidedBy: 'evaluator',
    worker: worker.address,
    amount: String(amount),
    rank,
    awardIndex,
    blockNumber: 1n,
    blockTimestamp: START,
    transactionHash: aHash(),
    transactionIndex: 0,
    logIndex: 0,
  })}`
}

/** Alice is three weeks old, the requester nine. */
async function insertAccounts(): Promise<void> {
  const week = 604_800n
  await insertAccount(api.sql, alice.address, { firstSeen: START - 3n * week, claimable: 12345678901234567890n })
  await insertAccount(api.sql, requester.address, { firstSeen: START - 9n * week, claimable: 0n })
}

test('given a task that completes while it is read, then what is shown is of one moment', async () => {
  const [requester, worker] = [anActor(), anActor()]
  const task = await api.seed.task({ requester: requester.address })
  const isWaiting = async () =>
    (await api.sql`select from pg_locks join pg_class on oid = relation where relname = 'bonus_credit' and not granted`)
      .length > 0
  let answer: ReturnType<TestApi['get']> | undefined
  await api.sql.begin(async (sql) => {
    await sql`lock table bonus_credit in access exclusive mode`
    answer = api.get(`/api/tasks/${task.id}`)
    await expect.poll(isWaiting).toBe(true)
    await sql`update task set status = 'completed' where id = ${task.id}`
    await insertCredit(sql, task.id, { account: worker.address, role: 'worker', credited: 5n })
  })
  const { status, bonus } = (await answer)?.body ?? {}
  expect([status, bonus.credits.length]).toEqual(['open', 0])
})
