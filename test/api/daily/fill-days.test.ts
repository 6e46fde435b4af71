import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { dayAt } from '../../../api/daily/day.ts'
import { fillDays } from '../../../api/daily/fill-days.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aPosition, START } from '../../support/rows/insert-row.ts'

/** Movements of most kinds over so many blocks, a third of a day each: ten days. */
const BLOCKS = 30
const BLOCK_SECONDS = 28_800n
const DAYS = 10
const HEAD = 1_000n

let api: TestApi
/** The time of the final block, as the node says it. */
let finalTime = START

beforeAll(async () => {
  api = await startTestApi()
  await api.sql
    .unsafe(
      `set ledger.blocks = ${BLOCKS}; ${await readFile(new URL('../../support/sql/ledger-rows.sql', import.meta.url), 'utf8')}`,
    )
    .simple()
  await spreadOverDays()
  await seedTasks()
  await setHead({ schemaVersion: 'idx_one' })
})
afterAll(() => api?.stop())

const dateOf = (index: number) => dayAt(START + BigInt(index) * 86_400n).date

async function spreadOverDays() {
  const tables = await api.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'market' and column_name = 'block_timestamp' and table_name not in ('ledger', 'indexed_head')`
  for (const { name } of tables) {
    await api.sql`update ${api.sql(name)} set block_timestamp = ${START} + (block_number - 1) * ${BLOCK_SECONDS}`
  }
  await api.sql`update award set settled_at = block_timestamp`
  await api.sql`update vault_charge set ended_at = ${START} + (ended_block - 1) * ${BLOCK_SECONDS}`
  await api.sql`update market_event set block_timestamp = ${START}, block_number = 0 where ordinal < 0`
}

/** On the second day: a bounty that its first worker enters an hour after its begin, and is paid for an hour later. */
async function seedTasks() {
  const { sql, seed } = api
  const [requester, alice] = [anActor().address, anActor().address]
  const posted = START + 86_400n
  const task = await seed.task({ requester, createdAt: posted, createdAtMs: posted * 1000n })
  const event = (
    ordinal: number,
    name: string,
    { subject, at, amount = null }: { subject: string; at: bigint; amount?: string | null },
  ) => {
    const place = { ...aPosition(), blockNumber: 5n, blockTimestamp: at, logIndex: 100 + ordinal }
    const row = { id: `${task.id}:${ordinal}`, taskId: task.id, ordinal, name, subject, amount, statusAfter: 'open' }
    return sql`insert into task_event ${sql({ ...row, args: sql.json({}), ...place } as never)}`
  }
  await event(0, 'TaskCreated', { subject: requester, at: posted, amount: '5000000' })
  await event(1, 'TaskSubmitted', { subject: alice, at: posted + 3_600n })
  await event(2, 'TaskSubmitted', { subject: alice, at: posted + 3_700n })
  const submission = await seed.submission(task.id, alice)
  await sql`update submission set submitted_at = ${posted + 3_600n} where task_id = ${task.id}`
  await seed.award(task.id, alice, { deliverable: submission.deliverable, settledAt: posted + 7_200n })
  await sql`update award set block_number = 5, block_timestamp = settled_at, log_index = 110 where task_id = ${task.id}`
  await event(3, 'TaskCompleted', { subject: alice, at: posted + 7_200n })
}

async function setHead({ schemaVersion, block = HEAD }: { schemaVersion: string; block?: bigint }) {
  await api.sql`delete from indexed_head`
  const head = {
    blockNumber: block,
    blockTimestamp: START + 1_000n * 86_400n,
    checkpoint: '',
    ready: true,
    schemaVersion,
  }
  await api.sql`insert into indexed_head ${api.sql(head)}`
}

const fill = async () => {
  const deps = { sql: api.sql, chain: { blockTimestamp: async () => finalTime } }
  while ((await fillDays(deps)) === 0);
}

const readDays = async () =>
  (await api.sql<{ day: string }[]>`select day::text as day from analytics.daily_market order by day`).map(
    ({ day }) => day,
  )

/** Sums of the ledger by day, kind and asset, or what the daily rows say of the same. */
const sumLedger = (last: string) => api.sql`
  select (at at time zone 'UTC')::date::text as day, asset, kind, count(*)::int as movements, sum(amount) as amount,
    trim_scale(sum(amount_units))::text as units
  from analytics.ledger where (at at time zone 'UTC')::date <= ${last}::date group by 1, 2, 3 order by 1, 2, 3`
const sumDays = () => api.sql`
  select day::text as day, asset, kind, sum(movements)::int as movements, sum(amount) as amount,
    trim_scale(sum(amount_units))::text as units
  from analytics.daily_flow group by 1, 2, 3 order by 1, 2, 3`

/** Balances of classes at the end of a day by the ledger, and by the newest rows until then. */
const balancesOf = (last: string) => api.sql`
  select class, asset, sum(amount) as balance from (
    select to_class as class, asset, amount from ledger where (at at time zone 'UTC')::date <= ${last}::date
    union all select from_class, asset, -amount from ledger where (at at time zone 'UTC')::date <= ${last}::date) as side
  where class <> 'wallet' group by 1, 2 order by 1, 2`
const dailyBalancesOf = (last: string) => api.sql`
  select distinct on (account_class, asset) account_class as class, asset, balance from analytics.daily_balance
  where day <= ${last}::date order by account_class, asset, day desc`

describe('the daily sums', () => {
  it('given a day whose end is not final, then it has no row; once it is, it has one', async () => {
    finalTime = START + 86_399n
    await fill()
    expect(await readDays()).toEqual([])
    finalTime = START + 86_400n
    await fill()
    expect(await readDays()).toEqual([dateOf(0)])
    finalTime = START + 3n * 86_400n
    await fill()
    expect(await readDays()).toEqual([0, 1, 2].map(dateOf))
    expect([...(await sumDays())]).toEqual([...(await sumLedger(dateOf(2)))])
  })

  it('given several processes at once, then each day is counted once, and the sums are those of the ledger', async () => {
    finalTime = START + BigInt(DAYS + 2) * 86_400n
    await Promise.all([fill(), fill(), fill()])
    expect(await readDays()).toEqual(Array.from({ length: DAYS + 2 }, (_, index) => dateOf(index)))
    const last = dateOf(DAYS + 1)
    expect((await sumDays()).length).toBeGreaterThan(100)
    expect([...(await sumDays())]).toEqual([...(await sumLedger(last))])
    for (const day of [0, 4, DAYS + 1].map(dateOf)) {
      expect([...(await dailyBalancesOf(day))]).toEqual([...(await balancesOf(day))])
    }
    const [held] = await api.sql`
      select escrow_locked, liability from analytics.daily_market order by day desc limit 1`
    const balances = await balancesOf(last)
    const of = (...classes: string[]) =>
      balances.filter((row) => classes.includes(row.class)).reduce((sum, row) => sum + row.balance, 0n)
    expect(held).toEqual({ escrowLocked: of('escrow'), liability: of('escrow', 'stake', 'credit', 'prepaid') })
  })

  it('given a task that was posted, delivered and paid on a day, then its steps and times count on it, also in its mode', async () => {
    const steps = await api.sql`
      select mode, posted, posted_rewards_usdc::text as rewards, entered, delivered, accepted, paid, requesters, workers, gmv, platform_fees,
        entry_seconds, median_entry_seconds, payouts, payout_seconds, median_payout_seconds
      from analytics.daily_mode where day = ${dateOf(1)}::date`
    expect([...steps]).toEqual([
      {
        mode: 'bounty',
        posted: 1n,
        rewards: '5',
        entered: 1n,
        delivered: 1n,
        accepted: 1n,
        paid: 1n,
        requesters: 1n,
        workers: 1n,
        gmv: 5_000_000n,
        platformFees: 375_000n,
        entrySeconds: 3_600n,
        medianEntrySeconds: 3_600n,
        payouts: 1n,
        payoutSeconds: 3_600n,
        medianPayoutSeconds: 3_600n,
      },
    ])
    const quiet = await api.sql`
      select posted, requesters, gmv, median_entry_seconds from analytics.daily_market where day = ${dateOf(DAYS + 1)}::date`
    expect([...quiet]).toEqual([{ posted: 0n, requesters: 0n, gmv: 0n, medianEntrySeconds: null }])
  })

  it('given days that are over, then the route answers them, the oldest first, with their modes', async () => {
    const { status, headers, body } = await api.get(`/api/stats/daily?since=${dateOf(1)}&until=${dateOf(2)}`)
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
    expect([body.lastDay, body.days.map(({ day }: { day: string }) => day)]).toEqual([
      dateOf(DAYS + 1),
      [dateOf(1), dateOf(2)],
    ])
    const [row] =
      await api.sql`select gmv, escrow_locked, service_fees, liability from analytics.daily_market where day = ${dateOf(1)}::date`
    const [day] = body.days
    expect([day.gmv, day.escrowLocked, day.serviceFees, day.liability]).toEqual(
      [row?.gmv, row?.escrowLocked, row?.serviceFees, row?.liability].map(String),
    )
    expect(day.modes).toMatchObject([{ mode: 'bounty', posted: 1, gmv: '5000000', medianPayoutSeconds: 3_600 }])
    expect((await api.get('/api/stats/daily')).body.days).toHaveLength(DAYS + 2)
    expect((await api.get('/api/stats/daily?until=2029-12-31')).body.days).toEqual([])
  })

  it.each([
    ['since=2030-02-30', 'since'],
    ['since=1999-12-31', 'since'],
    ['since=2030-02-01&until=2030-01-31', 'since'],
    ['since=2030-01-01&until=2031-01-02', 'since'],
    ['until=today', 'until'],
  ])('given %s, then 400 names %s', async (query, field) => {
    const { status, body } = await api.get(`/api/stats/daily?${query}`)
    expect([status, body.issues?.[0]?.path]).toEqual([400, field])
  })

  it('given another deployment of the indexer, then all days are made again of its rows, and no other day stays', async () => {
    await api.sql`update task_event set amount = 7 where name = 'TaskUpdated'`
    await api.sql`insert into service.daily_money values ('2040-01-01', 0, 0, 0, 0, 0)`
    await fill()
    expect([...(await sumDays())]).not.toEqual([...(await sumLedger(dateOf(DAYS + 1)))])
    await setHead({ schemaVersion: 'idx_two' })
    await fill()
    expect([...(await sumDays())]).toEqual([...(await sumLedger(dateOf(DAYS + 1)))])
    expect(await api.sql`select from service.daily_money where day = '2040-01-01'`).toHaveLength(0)
  })

  it('given a node that does not answer, then the next call tries again', async () => {
    const before = await readDays()
    const silent = async () => {
      throw new ChainUnavailable('no answer')
    }
    await setHead({ schemaVersion: 'idx_two' })
    expect(await fillDays({ sql: api.sql, chain: { blockTimestamp: silent } })).toBeGreaterThan(0)
    expect(await readDays()).toEqual(before)
  })

  it('given a chain that became shorter while the node was asked, then nothing is filled', async () => {
    finalTime += 86_400n
    const before = await readDays()
    const deps = {
      sql: api.sql,
      chain: {
        blockTimestamp: async () => {
          await setHead({ schemaVersion: 'idx_two', block: HEAD - 10n })
          return finalTime
        },
      },
    }
    await fillDays(deps)
    expect(await readDays()).toEqual(before)
  })
})
