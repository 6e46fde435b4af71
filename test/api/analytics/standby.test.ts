import { pino } from 'pino'
import postgres from 'postgres'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGraphqlApp } from '../../../graphql/app.ts'
import { createGraphqlMetrics } from '../../../graphql/graphql-metrics.ts'
import { openReaderPool } from '../../../graphql/reader-pool.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import { anActor } from '../../support/actors.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { sendTo } from '../graphql/graphql-api.ts'
import { type SqlApi, startSqlApi } from './sql-api.ts'

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

let api: SqlApi
/** The superuser at the standby. */
let standby: postgres.Sql
const cleanups = createCleanups()

beforeAll(async () => {
  api = await startSqlApi()
  cleanups.defer(api.stop)
  await api.servers.replayed()
  standby = connect(atServer(api.deps.config.DATABASE_URL, api.servers.standbyUrl))
})

afterAll(() => cleanups.run())

describe('given the login of the reader at a standby', () => {
  test('when its replay is behind, then an answer shows the block that the standby has', async () => {
    const query = 'SELECT count(*) AS tasks FROM task'
    const answer = async () => {
      const { body } = await api.post('/api/sql', { query })
      return [body.block.number, body.rows[0].tasks]
    }
    expect(await answer()).toEqual([77, '1'])
    await standby`SELECT pg_wal_replay_pause()`
    try {
      const pauseState = async () => (await standby`SELECT pg_get_wal_replay_pause_state() AS state`)[0]?.state
      await expect.poll(pauseState).toBe('paused')
      await api.seed.task({ requester: anActor().address })
      await api.sql`update indexed_head set block_number = 78`
      expect(await answer()).toEqual([77, '1'])
    } finally {
      await standby`SELECT pg_wal_replay_resume()`
    }
    await api.servers.replayed()
    expect(await answer()).toEqual([78, '2'])
  })

  test('when GraphQL has it too, then GraphQL answers the same rows', async () => {
    const log = pino({ level: 'silent' })
    const pool = openReaderPool({ READER_DATABASE_URL: api.readerUrls.standby, MARKET_SCHEMA: 'market' }, log)
    try {
      const app = createGraphqlApp({
        settings: { TRUSTED_PROXIES: [], GRAPHQL_REQUESTS_PER_MINUTE: 1_000 },
        chain: { chainId: 8453, name: 'base' },
        pool,
        metrics: createGraphqlMetrics(new Registry(), pool),
        log,
      })
      const { body } = await sendTo(app, JSON.stringify({ query: '{ tasks { totalCount } }' }))
      expect(body).toEqual({ data: { tasks: { totalCount: 2 } } })
    } finally {
      await pool.end()
    }
  })

  test('when the replay conflicts with a query, then the query is cancelled, and 503 tells the client to try again', async () => {
    const answer = api.ask(
      'SELECT count(*) FROM task, generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b',
    )
    const sessionsOnTask = () => standby`
      SELECT usename FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE relation = 'market.task'::regclass AND granted`
    await expect.poll(sessionsOnTask).toEqual([{ usename: 'market_reader' }])
    await api.sql.begin((tx) => tx`LOCK TABLE market.task IN ACCESS EXCLUSIVE MODE`)
    const { status, body, headers } = await answer
    expect([status, body.error]).toEqual([503, 'The rows of this query were replaced while it ran; send it again.'])
    expect(headers.get('Retry-After')).toBe('2')
    expect((await api.ask('SELECT count(*) AS tasks FROM task')).body.rows).toEqual([{ tasks: '2' }])
  })
})

describe('given a login with every privilege that the script revokes, as on a managed server', () => {
  beforeAll(async () => {
    await giveRightsBack()
    await api.servers.replayed()
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
      const reader = connect(api.readerUrls[place])
      await reader`SELECT pg_advisory_lock(key) FROM generate_series(1, 100) AS key`
      expect([place, await takesAll(superuser)]).toEqual([place, isFree])
    }
    await api.servers.replayed()
  })

  test('when the standby is promoted, then it refuses a query too', async () => {
    expect(await standby`SELECT pg_promote(wait_seconds => 30) AS promoted`).toEqual([{ promoted: true }])
    const { status, body } = await api.post('/api/sql', { query: 'SELECT 1 AS one' })
    expect([status, body.error]).toEqual([503, expect.stringMatching(/leads to a primary/)])
  })
})

function connect(url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  cleanups.defer(() => sql.end())
  return sql
}

/** Undoes what `ops/database/logins.sql` revokes, and grants the reader what `writes` needs at a primary. */
async function giveRightsBack(): Promise<void> {
  const { username, pathname } = new URL(api.readerUrls.primary)
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
  place: 'primary' | 'standby',
  check: (sql: postgres.Sql, statement: string, code: string) => Promise<void>,
): Promise<void> {
  const sql = connect(api.readerUrls[place])
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
