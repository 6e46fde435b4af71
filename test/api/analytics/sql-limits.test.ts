import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnalytics } from '../../../api/analytics/analytics.ts'
import { createReader } from '../../../api/analytics/reader-session.ts'
import { MARKET_SCHEMA } from '../../../api/db/client.ts'
import { createMetrics } from '../../../api/observability/metrics.ts'
import { loginUrl } from '../../../scripts/postgres/database-logins.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { createCleanups } from '../../support/cleanups.ts'
import { openGraphqlApp, sendTo } from '../graphql/graphql-api.ts'
import { holdQuery } from './held-query.ts'
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
const superuserUrl = () => atServer(api.deps.config.DATABASE_URL, api.servers.standbyUrl)

beforeAll(async () => {
  api = await startSqlApi()
  cleanups.defer(api.stop)
  await api.servers.replayed()
  standby = connectAs(superuserUrl())
})

afterAll(() => cleanups.run())

describe('given a slow query', () => {
  const forever = 'SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b'
  const startAnalytics = (readerUrl: string, deadlineMs: number) =>
    createAnalytics({ readerUrl, schema: 'market', deadlineMs, metrics: createMetrics() })
  const ask = (analytics: ReturnType<typeof createAnalytics>, client: string, text: string) =>
    analytics.query(client, { text, parameters: [] }, { type: 'text/csv', note: undefined })
  const running = async () => {
    const rows = await standby<{ pid: number }[]>`
      select pid from pg_stat_activity
      where usename = 'market_reader' and state <> 'idle' and datname = current_database()`
    return rows.map(({ pid }) => pid)
  }

  test('when its time is over, then it ends in the database too, with a message about the time', async () => {
    const analytics = startAnalytics(api.readerUrls.standby, 2_000)
    await expect(ask(analytics, 'client', forever)).rejects.toThrow(/^The query was stopped after 2 s: narrow it/)
    await expect.poll(running).toEqual([])
    await analytics.stop()
  })

  test('when the server cannot end it, then its client waits until the keeper has, and others are served', async () => {
    const held = await holdQuery(standby, api.readerUrls.standby)
    // Longer than a process takes to start on a busy machine: the query after the one that is stopped waits for it.
    const analytics = startAnalytics(held.url, 12_000)
    try {
      await expect(ask(analytics, 'client', forever)).rejects.toThrow(/^The query was stopped/)
      await held.stopped
      await expect(ask(analytics, 'client', 'SELECT 1 AS one')).rejects.toThrow(
        /^An earlier query of this address still runs/,
      )
      for (let sent = 0; sent < 3; sent += 1) {
        expect((await ask(analytics, 'another client', 'SELECT 2 AS two')).pages).toHaveLength(1)
      }
    } finally {
      held.release()
      await expect.poll(running).toEqual([])
      expect((await ask(analytics, 'client', 'SELECT 1 AS one')).pages).toHaveLength(1)
      await analytics.stop()
      await held.close()
    }
    await expect.poll(running).toEqual([])
  })

  test('when the client has one running, then four others wait, and the next one is refused with 429', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post('/api/sql', { query: 'SELECT 1 AS one' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
    const busy = answers.find(({ status }) => status === 429)
    expect(busy?.headers.get('Retry-After')).toBe('1')
    expect(busy?.body.error).toBe(
      '4 queries of this address wait already, and one runs at a time: send them one by one.',
    )
  })
})

describe('given queries one after the other', () => {
  const sessions = async () => {
    const rows = await standby<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name = 'task-market-sql' and datname = current_database()`
    return rows.map(({ pid }) => pid)
  }
  const answered = async () => {
    expect((await api.ask('SELECT count(*) FROM task')).status).toBe(200)
    return await sessions()
  }

  test('then one session answers them, and a query that failed ends its own', async () => {
    const before = await answered()
    expect(await answered()).toEqual(before)
    expect((await api.ask('SELECT 1 / 0')).status).toBe(400)
    await expect.poll(async () => (await sessions()).length).toBe(before.length - 1)
  })

  test('when the server has ended the session meanwhile, then the next query is answered by another', async () => {
    const before = await answered()
    await standby`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'task-market-sql'`
    const after = await answered()
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
  })
})

test('given refusals of one kind, then the log has one warning without a stack, and no error', async () => {
  const log = captureLog()
  const other = await startTestApi(
    { LOG_LEVEL: 'warn', READER_DATABASE_URL: 'postgres://market_reader@127.0.0.1:1/none' },
    log,
  )
  try {
    for (const path of ['/api/sql', '/api/sql', '/api/sql/explain']) {
      expect((await other.post(path, { query: 'SELECT 1' })).status).toBe(503)
    }
  } finally {
    await other.stop()
  }
  expect(log.lines()).toEqual([
    expect.objectContaining({
      level: 40,
      msg: 'query refused',
      refusal: 'The read model cannot be reached now; try again shortly.',
      cause: 'Error ECONNREFUSED',
    }),
  ])
  expect(log.text()).not.toContain('    at ')
})

test('given a plan of more than a megabyte, then it is refused', async () => {
  const repeated = Array(130).fill('$1').join(' || ')
  const { status, body } = await api.post('/api/sql/explain', {
    query: `SELECT id FROM task WHERE id <> $1::text || ${repeated}`,
    params: ['x'.repeat(8_192)],
  })
  expect([status, body.error]).toEqual([400, expect.stringMatching(/rows that are too large/)])
})

describe('given a missing or unsafe reader', () => {
  test('when no login is set, then 503 names the command for the operator', async () => {
    const other = await startTestApi()
    try {
      const { status, body } = await other.post('/api/sql', { query: 'SELECT 1' })
      expect([status, body.error]).toEqual([
        503,
        expect.stringMatching(/READER_DATABASE_URL is not set; .*docs\/operate\/standby\.md/),
      ])
    } finally {
      await other.stop()
    }
  })

  test.each([
    ['on a primary', () => api.readerUrls.primary, /^Analysts' SQL is off: READER_DATABASE_URL leads to a primary/],
    ['a superuser', () => superuserUrl(), /^Analysts' SQL is off: READER_DATABASE_URL names a superuser/],
    [
      'one whose password is another',
      () => api.readerUrls.standby.replace('market_reader', 'market_service'),
      /^The query could not/,
    ],
  ])('when the reader is %s, then no query is executed', async (_name, url, sentence) => {
    await api.readFrom(url())
    try {
      const { status, body, headers } = await api.ask('SELECT 1 AS one')
      expect([status, body.error, headers.get('Retry-After')]).toEqual([503, expect.stringMatching(sentence), '2'])
    } finally {
      await api.readFrom(api.readerUrls.standby)
    }
  })

  test('when its login has settings that change the meaning of texts, then a query gives the same rows', async () => {
    const name = new URL(api.readerUrls.primary).pathname.slice(1)
    const settings = [
      'standard_conforming_strings = off',
      'search_path = pg_catalog',
      'bytea_output = escape',
      "TimeZone = 'Asia/Tokyo'",
      "DateStyle = 'German'",
      'statement_timeout = 0',
    ]
    for (const setting of settings) {
      await api.sql.unsafe(`ALTER ROLE market_reader IN DATABASE "${name}" SET ${setting}`)
    }
    const { body } = await api.ask(
      `SELECT '\\' AS backslash, '\\x00'::bytea AS bytes, to_timestamp(0) AS at, count(*) AS n FROM task`,
    )
    expect(body.rows).toEqual([{ backslash: '\\', bytes: '\\x00', at: '1970-01-01T00:00:00Z', n: '1' }])
    await api.sql.unsafe(`ALTER ROLE market_reader IN DATABASE "${name}" RESET ALL`)
  })

  test('when views are dropped and created again, then it reads the new ones', async () => {
    const indexer = postgres(loginUrl(api.deps.config.DATABASE_URL, 'market_indexer'), { max: 1 })
    try {
      await indexer`create view market.extra as select 1 as one`
      expect((await api.ask('SELECT * FROM extra')).body.rows).toEqual([{ one: 1 }])
      await indexer`drop view market.extra`
      expect((await api.ask('SELECT * FROM extra')).status).toBe(400)
      await indexer`create view market.extra as select 2 as two`
      expect((await api.ask('SELECT * FROM extra')).body.rows).toEqual([{ two: 2 }])
    } finally {
      await indexer.end()
    }
  })
})

test('given a client at its rate limit, when it asks again, then 429 names the limit, and reads are served', async () => {
  const other = await startTestApi({ SQL_PER_MINUTE: '2', READER_DATABASE_URL: api.readerUrls.standby })
  try {
    const statuses = []
    for (let sent = 0; sent < 3; sent += 1) statuses.push((await other.post('/api/sql', { query: 'SELECT 1' })).status)
    expect(statuses).toEqual([200, 200, 429])
    const { headers } = await other.post('/api/sql/explain', { query: 'SELECT 1' })
    expect(headers.get('RateLimit-Policy')).toBe('"sql";q=2;w=60')
    expect((await other.get('/api/tasks')).status).toBe(200)
  } finally {
    await other.stop()
  }
})

test('given a client that is gone while the session is being cleared, then its connection is not kept for the next one', async () => {
  const client = new AbortController()
  const read = createReader().transaction(
    { url: api.readerUrls.standby, schema: MARKET_SCHEMA },
    { deadlineMs: 8_000, maxBytes: 1_000, signal: client.signal },
    async () => {
      // Behind the promises that wait: the first statement that clears the session has been sent.
      process.nextTick(() => client.abort())
    },
  )
  await expect(read).rejects.toThrow()
})

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
    const { app, pool } = openGraphqlApp(api.readerUrls.standby)
    try {
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
    const superuser = connectAs(api.deps.config.DATABASE_URL)
    for (const [place, isFree] of [
      ['standby', true],
      ['primary', false],
    ] as const) {
      const reader = connectAs(api.readerUrls[place])
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

function connectAs(url: string): postgres.Sql {
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
  const sql = connectAs(api.readerUrls[place])
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
