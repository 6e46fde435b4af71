import { pino } from 'pino'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Analytics, createAnalytics } from '../../../api/analytics/analytics.ts'
import { createGraphqlApp } from '../../../api/graphql/app.ts'
import { openReaderPool } from '../../../api/graphql/reader-pool.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import { anActor } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { openReader } from '../../support/reader.ts'
import { type StandbyServers, startStandby } from '../../support/standby.ts'
import { sendTo } from '../graphql/graphql-api.ts'

const places = ['primary', 'standby'] as const
type Place = (typeof places)[number]

/** Statements of the reader's login, each with the SQLSTATE of its refusal by a standby. A primary executes them. */
const writes = [
  ['SET transaction_read_only = off', '0A000'],
  ["SELECT set_config('transaction_read_only', 'off', false)", '25001'],
  ['CREATE TABLE public.hostile (id int)', '25006'],
  ['CREATE TEMPORARY TABLE hostile (id int)', '25006'],
  ['CREATE SCHEMA hostile', '25006'],
  ["DO 'BEGIN CREATE TABLE public.hostile_too (id int); END'", '25006'],
  ["SELECT nextval('market.hostile_sequence')", '25006'],
  ['SELECT lo_create(0)', '25006'],
  ['SELECT pg_current_xact_id()', '25006'],
  ["SELECT pg_logical_emit_message(false, 'hostile', 'text')", 'XX000'],
  ["SELECT pg_logical_emit_message(true, 'hostile', 'text')", 'XX000'],
  ["SELECT pg_notify('hostile', 'text')", '25006'],
  ['LISTEN hostile', '25006'],
  ["ALTER ROLE market_reader SET work_mem = '1GB'", '25006'],
] as const

let servers: StandbyServers
let api: TestApi
let analytics: Record<Place, Analytics>
let readerUrls: Record<Place, string>
/** The superuser at the standby. */
let standby: postgres.Sql
const cleanups = createCleanups()

beforeAll(async () => {
  servers = await startStandby()
  cleanups.defer(servers.stop)
  api = await startTestApi({}, undefined, servers.primaryUrl)
  cleanups.defer(api.stop)
  const { readerUrl } = await openReader(api)
  readerUrls = { primary: readerUrl, standby: atServer(readerUrl, servers.standbyUrl) }
  analytics = {
    primary: api.deps.analytics,
    standby: createAnalytics({
      readerUrl: readerUrls.standby,
      schema: 'market',
      deadlineMs: api.deps.config.SQL_QUERY_MS,
    }),
  }
  for (const place of places) cleanups.defer(analytics[place].stop)
  await setHead(76n)
  await servers.replayed()
  standby = connect(atServer(api.deps.config.DATABASE_URL, servers.standbyUrl))
})

afterAll(() => cleanups.run())

describe('given the login of the reader at a standby', () => {
  test('when rows were written on the primary, then they are answered with the block of the standby', async () => {
    await api.seed.task({ requester: anActor().address })
    await setHead(77n)
    await servers.replayed()
    expect(await ask('standby', 'SELECT count(*) AS tasks FROM task')).toMatchObject({
      status: 200,
      body: { block: { number: 77 }, schemaVersion: 'idx_00000000000000aa', rows: [{ tasks: '1' }] },
    })

    const answers = async () => (await askBoth()).map(({ body }) => [body.block.number, body.rows[0].tasks])
    await standby`SELECT pg_wal_replay_pause()`
    try {
      const pauseState = async () => (await standby`SELECT pg_get_wal_replay_pause_state() AS state`)[0]?.state
      await expect.poll(pauseState).toBe('paused')
      await api.seed.task({ requester: anActor().address })
      await setHead(78n)
      expect(await answers()).toEqual([
        [78, '2'],
        [77, '1'],
      ])
    } finally {
      await standby`SELECT pg_wal_replay_resume()`
    }
    await servers.replayed()
    expect(await answers()).toEqual([
      [78, '2'],
      [78, '2'],
    ])
  })

  test('when GraphQL has it too, then GraphQL answers the same rows', async () => {
    const log = pino({ level: 'silent' })
    const pool = openReaderPool({ READER_DATABASE_URL: readerUrls.standby, MARKET_SCHEMA: 'market' }, log)
    try {
      const app = await createGraphqlApp({
        settings: { TRUSTED_PROXIES: [], GRAPHQL_REQUESTS_PER_MINUTE: 1_000 },
        pool,
        log,
      })
      const { body } = await sendTo(app, JSON.stringify({ query: '{ tasks { totalCount } }' }))
      expect(body).toEqual({ data: { tasks: { totalCount: 2 } } })
    } finally {
      await pool.end()
    }
  })

  test('when the replay conflicts with a query, then the query is cancelled, and 503 tells the client to try again', async () => {
    const answer = ask(
      'standby',
      'SELECT count(*) FROM task, generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b',
    )
    const sessionsOnTask = () => standby`
      SELECT usename FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE relation = 'market.task'::regclass AND granted`
    await expect.poll(sessionsOnTask).toEqual([{ usename: 'market_reader' }])
    await api.sql.begin((tx) => tx`LOCK TABLE market.task IN ACCESS EXCLUSIVE MODE`)
    const { status, body, headers } = await answer
    expect([status, body.error]).toEqual([503, 'The query could not be run now; try again shortly.'])
    expect(headers.get('Retry-After')).toBe('2')
    expect((await ask('standby', 'SELECT count(*) AS tasks FROM task')).body.rows).toEqual([{ tasks: '2' }])
  })
})

describe('given a login with every privilege that the script revokes, as on a managed server', () => {
  beforeAll(async () => {
    // Both are safe until here, so each refusal below is due to the privileges.
    expect(await statuses()).toEqual([200, 200])
    await giveRightsBack()
    await servers.replayed()
  })

  test('then the standby answers a query, and the primary refuses it', async () => {
    expect(await statuses()).toEqual([503, 200])
    const { body } = await ask('primary', 'SELECT 1 AS one')
    expect(body.error).toMatch(
      /^The login for analysts' SQL is not safe to use \(the reader may execute set_config\): .*"Database logins"/,
    )
  })

  test('when it writes at the standby, then each statement is refused and the primary stays as it is', async () => {
    const before = await stateOfPrimary()
    const notifications: string[] = []
    await api.sql.listen('hostile', (text) => notifications.push(text))
    await eachWrite('standby', (sql, statement, code) =>
      expect(sql.unsafe(statement), statement).rejects.toMatchObject({ code }),
    )
    expect(await stateOfPrimary()).toEqual(before)

    // The same statements at the primary: they do write.
    await eachWrite('primary', (sql, statement) => expect(sql.unsafe(statement), statement).resolves.toBeDefined())
    const after = await stateOfPrimary()
    for (const name of Object.keys(before)) expect([name, after[name]]).not.toEqual([name, before[name]])
    await expect.poll(() => notifications).toEqual(['text'])
  })

  test('when it takes advisory locks at the standby, then they are free on the primary', async () => {
    const takesAll = async (sql: postgres.Sql) => {
      const [row] =
        await sql`SELECT bool_and(pg_try_advisory_xact_lock(key)) AS all FROM generate_series(1, 100) AS key`
      return row?.all
    }
    const superuser = connect(api.deps.config.DATABASE_URL)
    for (const [place, isFree] of [
      ['standby', true],
      ['primary', false],
    ] as const) {
      const reader = connect(readerUrls[place])
      await reader`SELECT pg_advisory_lock(key) FROM generate_series(1, 100) AS key`
      expect([place, await takesAll(superuser)]).toEqual([place, isFree])
    }
    await servers.replayed()
  })

  test('when the standby is promoted, then it refuses a query too', async () => {
    expect(await standby`SELECT pg_promote(wait_seconds => 30) AS promoted`).toEqual([{ promoted: true }])
    expect(await statuses()).toEqual([503, 503])
  })
})

/** A query by the reader's login at one of the servers; one request at a time. */
function ask(place: Place, query: string): Promise<Answer> {
  api.deps.analytics = analytics[place]
  return api.post('/api/sql', { query })
}

async function askBoth(): Promise<Answer[]> {
  const query = 'SELECT count(*) AS tasks FROM task'
  return [await ask('primary', query), await ask('standby', query)]
}

async function statuses(): Promise<number[]> {
  return (await askBoth()).map(({ status }) => status)
}

function connect(url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  cleanups.defer(() => sql.end())
  return sql
}

async function setHead(blockNumber: bigint): Promise<void> {
  const head = { blockNumber, blockTimestamp: 1_700_000_000n, checkpoint: '', schemaVersion: 'idx_00000000000000aa' }
  await api.sql.begin(async (tx) => {
    await tx`DELETE FROM market.indexed_head`
    await tx`INSERT INTO market.indexed_head ${tx(head)}`
  })
}

/** Undoes what `ops/database/logins.sql` revokes, and grants the reader what `writes` needs at a primary. */
async function giveRightsBack(): Promise<void> {
  const { username, pathname } = new URL(readerUrls.primary)
  const [functions] = await api.sql<{ names: string }[]>`
    SELECT string_agg(oid::regprocedure::text, ', ') AS names FROM pg_proc
    WHERE EXISTS (SELECT FROM aclexplode(proacl) AS entry WHERE entry.grantee = 'market_indexer'::regrole)`
  await api.sql.unsafe(`
    GRANT EXECUTE ON FUNCTION ${functions?.names} TO PUBLIC;
    GRANT USAGE ON LANGUAGE plpgsql, sql TO PUBLIC;
    GRANT ALL ON DATABASE ${pathname.slice(1)} TO PUBLIC;
    GRANT CREATE ON SCHEMA public TO PUBLIC;
    CREATE SEQUENCE market.hostile_sequence;
    GRANT USAGE ON SEQUENCE market.hostile_sequence TO ${username}`)
}

/** One session of the reader's login, which has switched its read-only default off. */
async function eachWrite(
  place: Place,
  check: (sql: postgres.Sql, statement: string, code: string) => Promise<void>,
): Promise<void> {
  const sql = connect(readerUrls[place])
  await sql`SELECT set_config('default_transaction_read_only', 'off', false)`
  for (const [statement, code] of writes) await check(sql, statement, code)
}

/** The state that `writes` changes; columns by name. */
async function stateOfPrimary(): Promise<Record<string, unknown>> {
  const [state] = await api.sql`
    SELECT (SELECT array_agg(relname ORDER BY relname) FROM pg_class) AS relations,
      (SELECT array_agg(nspname ORDER BY nspname) FROM pg_namespace) AS schemas,
      (SELECT is_called FROM market.hostile_sequence) AS sequence,
      (SELECT count(*) FROM pg_largeobject_metadata) AS large_objects,
      (SELECT rolconfig FROM pg_roles WHERE rolname = 'market_reader') AS settings`
  return { ...state }
}
