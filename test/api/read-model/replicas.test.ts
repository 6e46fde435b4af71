import type { Hono } from 'hono'
import { pino } from 'pino'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPublicReads } from '../../../api/read-model/replicas/open-public-reads.ts'
import type { PublicReads, ReadOutcome } from '../../../api/read-model/replicas/public-reads.ts'
import type { ReplicaState } from '../../../api/read-model/replicas/replica.ts'
import { createApp } from '../../../api/server/app.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { START } from '../../support/rows/insert-row.ts'
import { startSilentServer } from '../../support/silent-server.ts'
import { type StandbyServers, startStandby } from '../../support/standby.ts'
import { createLogRows } from '../events/log-rows.ts'

const requester = anActor().address
const cleanups = createCleanups()
let servers: StandbyServers
let api: TestApi
/** The superuser at the standby. */
let standby: postgres.Sql
let reads: PublicReads
let app: Hono
let outcomes: ReadOutcome[]
let state: ReplicaState | undefined
let transaction = 10

beforeAll(async () => {
  servers = await startStandby()
  cleanups.defer(servers.stop)
  api = await startTestApi({}, undefined, servers.primaryUrl)
  cleanups.defer(api.stop)
  standby = postgres(atServer(api.deps.config.DATABASE_URL, servers.standbyUrl), { max: 1, onnotice: () => {} })
  cleanups.defer(() => standby.end())
})
afterAll(() => cleanups.run())

beforeEach(async () => {
  await commit(1n)
  await servers.replayed()
  await openReads([atServer(api.deps.config.DATABASE_URL, servers.standbyUrl)])
})
afterEach(async () => {
  await reads.stop()
})

/** @param now a clock that stands still: positions are forgotten by notifications alone */
async function openReads(urls: string[], now?: () => number): Promise<void> {
  outcomes = []
  state = undefined
  reads = openPublicReads({
    primary: api.sql,
    config: { READ_DATABASE_URLS: urls },
    log: pino({ level: 'silent' }),
    metrics: {
      publicRead: (outcome) => outcomes.push(outcome),
      replicaSeen: (seen) => {
        state = seen
      },
    },
    ...(now && { now }),
  })
  await reads.start()
  await reads.poll()
  app = createApp({ ...api.deps, publicReads: reads })
}

/** What a commit of the indexer does to what is told of it; `isQuiet`: its notification does not arrive. */
async function commit(blockNumber: bigint, { isQuiet = false } = {}): Promise<void> {
  transaction += 1
  const version = `100:${transaction}`
  const head = { blockNumber, blockTimestamp: START, checkpoint: '0', ready: true, version, schemaVersion: 'idx_a' }
  await api.sql.begin(async (tx) => {
    await tx`delete from market.indexed_head`
    await tx`insert into market.indexed_head ${tx(head)}`
    if (!isQuiet) await tx`select pg_notify('market_head', ${String(blockNumber)})`
  })
}

/** Stops the replay until the end of `work`. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await standby`select pg_wal_replay_pause()`
  try {
    const pauseState = async () => (await standby`select pg_get_wal_replay_pause_state() as state`)[0]?.state
    await expect.poll(pauseState).toBe('paused')
    await work()
  } finally {
    await standby`select pg_wal_replay_resume()`
  }
}

async function list(): Promise<string[]> {
  const response = await app.request('/api/tasks?limit=100')
  expect(response.status).toBe(200)
  return ((await response.json()) as { tasks: { id: string }[] }).tasks.map(({ id }) => id)
}

async function detail(id: string): Promise<{ id: string; status: string; taskDropId: string | null } | null> {
  const response = await app.request(`/api/tasks/${id}`)
  expect(response.status).toBe(200)
  return (await response.json()) as { id: string; status: string; taskDropId: string | null } | null
}

/** Outcomes since the last call, without repeats. */
function takeOutcomes(): ReadOutcome[] {
  return [...new Set(outcomes.splice(0))]
}

describe('given a replica that has replayed everything', () => {
  test('lists and details of tasks are read there, and are those of the primary', async () => {
    const { id } = await api.seed.task({ requester })
    await commit(2n)
    await servers.replayed()
    const listed = await list()
    const shown = await detail(id)
    expect(takeOutcomes()).toEqual(['replica'])
    expect(listed[0]).toBe(id)
    expect(listed).toEqual((await api.get('/api/tasks?limit=100')).body.tasks.map((task: { id: string }) => task.id))
    expect(shown).toEqual((await api.get(`/api/tasks/${id}`)).body)
  })

  test('pages of the log of changes are read there; those of a wallet are read from the primary', async () => {
    const { id } = await api.seed.task({ requester })
    const log = createLogRows(api, { taskId: id, subject: requester })
    await commit(2n)
    await log.mine(2, 1)
    await log.append()
    await servers.replayed()
    const page = await (await app.request('/api/events')).json()
    expect(takeOutcomes()).toEqual(['replica'])
    expect(page).toMatchObject({ events: [{ taskId: id }] })
    const own = await app.request('/api/events', { headers: await readHeadersOf(anActor()) })
    expect(await own.json()).toEqual(page)
    expect(takeOutcomes()).toEqual([])
    await log.clear()
  })

  test('a kept answer is compared there too, and tasks of both servers are kept side by side', async () => {
    await list()
    await list()
    expect(takeOutcomes()).toEqual(['replica'])
  })
})

describe('given a replica that is behind', () => {
  test('a place of the log that it does not have yet is read from the primary', async () => {
    const { id } = await api.seed.task({ requester })
    const log = createLogRows(api, { taskId: id, subject: requester })
    await commit(2n)
    await log.append()
    await servers.replayed()
    // As if an entry were appended without another commit.
    await api.sql`update service.event_log set rows_version = null`
    await servers.replayed()
    await whilePaused(async () => {
      await log.mine(2, 2)
      await log.append()
      const { body } = await api.get('/api/events?limit=1')
      const response = await app.request(`/api/events?after=${body.next}`)
      expect(await response.json()).toMatchObject({ events: [{ taskId: id }] })
      expect((await app.request(`/api/events?after=${'0'.repeat(12)}-1`)).status).toBe(410)
    })
    await log.clear()
  })

  test('a block that the process was told of is read from the primary, and the replica is used again later', async () => {
    await whilePaused(async () => {
      const { id } = await api.seed.task({ requester })
      await commit(5n)
      await expect.poll(list).toContain(id)
      expect((await detail(id))?.id).toBe(id)
      expect(takeOutcomes()).toContain('primary_replica_behind')
      await reads.poll()
      expect(state).toMatchObject({ isUsable: true, lagBlocks: 4n })
      await reads.poll()
      expect(state).toMatchObject({ isUsable: false, lagBlocks: 4n })
      expect(await list()).toContain(id)
      expect(takeOutcomes()).toEqual(['primary_none_usable'])
    })
    await servers.replayed()
    await reads.poll()
    expect(state).toMatchObject({ isUsable: true, lagBlocks: 0n })
    await list()
    expect(takeOutcomes()).toEqual(['replica'])
  })

  test('after a reorg the lower block is newer, and the higher one of the replica is not answered', async () => {
    const { id } = await api.seed.task({ requester })
    await commit(9n)
    await servers.replayed()
    await whilePaused(async () => {
      await api.sql`delete from market.task where id = ${id}`
      await commit(8n)
      await expect.poll(list).not.toContain(id)
      expect(await detail(id)).toBeNull()
    })
    await servers.replayed()
  })

  test('a changed drop is read from the primary: another process tells by a notification', async () => {
    const { id, contentHash, createdContentHash } = await api.seed.task({ requester })
    const drop = await api.seed.drop(requester)
    const other = await api.seed.drop(requester)
    expect(createdContentHash).toBe(contentHash)
    await api.seed.dropMember(drop, { requester, createdContentHash })
    await commit(10n)
    await servers.replayed()
    expect((await detail(id))?.taskDropId).toBe(drop)
    expect(takeOutcomes()).toEqual(['replica'])
    await whilePaused(async () => {
      await api.sql`update service.task_drop_members set drop_id = ${other} where drop_id = ${drop}`
      await expect.poll(async () => (await detail(id))?.taskDropId).toBe(other)
    })
    await servers.replayed()
  })

  test('after an answer of the primary nothing older is answered, though no notification has arrived', async () => {
    const { id } = await api.seed.task({ requester })
    await reads.stop()
    await openReads([atServer(api.deps.config.DATABASE_URL, servers.standbyUrl)], () => 0)
    await whilePaused(async () => {
      await api.sql`update market.task set status = 'cancelled' where id = ${id}`
      await list()
      await commit(11n, { isQuiet: true })
      reads.replicas[0]?.setAside(new Error('a read failed'))
      const statusOf = async () => (await detail(id))?.status
      expect(await statusOf()).toBe('cancelled')
      await reads.poll()
      expect(await statusOf()).toBe('cancelled')
    })
    await servers.replayed()
  })

  test('after a write of this process nothing older is answered, without a notification', async () => {
    await reads.stop()
    await openReads([atServer(api.deps.config.DATABASE_URL, servers.standbyUrl)])
    await list()
    await whilePaused(async () => {
      await api.sql`update service.content_changes set count = count + 1`
      takeOutcomes()
      reads.noteChange()
      await list()
      expect(takeOutcomes()).toContain('primary_replica_behind')
    })
    await servers.replayed()
  })
})

describe('given a replica that fails', () => {
  test('a statement that the replay cancels is read again from the primary', async () => {
    await list()
    takeOutcomes()
    const answer = reads.read(async (sql) => {
      const [row] = await sql<{ isStandby: boolean }[]>`
        select pg_is_in_recovery() as is_standby from market.task, pg_sleep(${outcomes.length === 0 ? 20 : 0})`
      return { value: row?.isStandby, position: '' }
    })
    const sleeping = () => standby`
      select 1 as one from pg_stat_activity where wait_event = 'PgSleep' and query like '%is_standby%'`
    await expect.poll(sleeping).toHaveLength(1)
    await api.sql.begin((tx) => tx`lock table market.task in access exclusive mode`)
    expect(await answer).toBe(false)
    expect(takeOutcomes()).toEqual(['primary_replica_failed'])
    await servers.replayed()
    await list()
    expect(takeOutcomes()).toEqual(['replica'])
  })

  test('a statement whose time is over is read again from the primary, and other reads stay at the replica', async () => {
    // The primary keeps within the shorter limit on a busy machine too.
    for (const limit of ['600ms', '1min']) {
      const seconds = () => (takeOutcomes().length === 0 ? 1.5 : 0)
      const isStandby = await reads.read(async (sql) => {
        const [row] = await sql.begin(async (tx) => {
          await tx.unsafe(`set local statement_timeout = '${limit}'`)
          return await tx<
            { isStandby: boolean }[]
          >`select pg_is_in_recovery() as is_standby from pg_sleep(${seconds()})`
        })
        return { value: row?.isStandby, position: '' }
      })
      expect(isStandby).toBe(false)
      await list()
      expect(takeOutcomes()).toEqual(['replica'])
    }
  })

  test('reads that are all too slow leave it until the next poll', async () => {
    const slowRead = () =>
      reads.read(async (sql) => {
        const isReplica = sql !== api.sql
        await sql`select pg_sleep(${isReplica ? 1.5 : 0})`
        return { value: isReplica, position: '' }
      })
    expect(await Promise.all([slowRead(), slowRead(), slowRead()])).toEqual([false, false, false])
    takeOutcomes()
    await list()
    expect(takeOutcomes()).toEqual(['primary_none_usable'])
    await reads.poll()
    await list()
    expect(takeOutcomes()).toEqual(['replica'])
  })

  test.each([
    ['that is the primary', async () => api.deps.config.DATABASE_URL],
    ['that takes no connection', async () => 'postgres://reader@127.0.0.1:1/postgres'],
    [
      'that accepts connections and never answers',
      async () => {
        const silent = await startSilentServer()
        cleanups.defer(silent.stop)
        return `postgres://reader@127.0.0.1:${silent.port}/postgres`
      },
    ],
  ])('one %s is not used, and no request notices', async (_, urlOf) => {
    await reads.stop()
    const url = await urlOf()
    await openReads([url])
    await list()
    expect(takeOutcomes()).toEqual(['primary_none_usable'])
    expect(state).toEqual({ replica: new URL(url).host, isUsable: false, lagBlocks: null })
  })

  test('one that is promoted while it is in use is left at once', async () => {
    await list()
    expect(takeOutcomes()).toEqual(['replica'])
    await standby`select pg_promote()`
    const { id } = await api.seed.task({ requester })
    await commit(20n)
    await expect.poll(list).toContain(id)
    expect(takeOutcomes()).toContain('primary_replica_failed')
    await reads.poll()
    expect(state).toMatchObject({ isUsable: false, lagBlocks: null })
  })
})
