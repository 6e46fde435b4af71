import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnalytics } from '../../../api/analytics/analytics.ts'
import { createReader } from '../../../api/analytics/reader-session.ts'
import { connectDatabase, type Database, MARKET_SCHEMA } from '../../../api/db/client.ts'
import { createMetrics } from '../../../api/observability/metrics.ts'
import { loginUrl } from '../../../scripts/postgres/database-logins.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import { startTestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { holdQueries } from './held-queries.ts'
import { type SqlApi, startSqlApi } from './sql-api.ts'

let api: SqlApi
/** The superuser at the standby. */
let standby: Database
const superuserUrl = () => atServer(api.deps.config.DATABASE_URL, api.servers.standbyUrl)

beforeAll(async () => {
  api = await startSqlApi()
  await api.servers.replayed()
  standby = connectDatabase({ url: superuserUrl(), max: 1 })
})

afterAll(async () => {
  await standby?.end()
  await api?.stop()
})

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
    const queries = await holdQueries(standby, api.readerUrls.standby, 1)
    // Longer than a process takes to start on a busy machine: the query after the one that is stopped waits for it.
    const analytics = startAnalytics(queries.url, 12_000)
    try {
      await expect(ask(analytics, 'client', forever)).rejects.toThrow(/^The query was stopped/)
      await queries.stopped()
      await expect(ask(analytics, 'client', 'SELECT 1 AS one')).rejects.toThrow(
        /^An earlier query of this address still runs/,
      )
      for (let sent = 0; sent < 3; sent += 1) {
        expect((await ask(analytics, 'another client', 'SELECT 2 AS two')).pages).toHaveLength(1)
      }
    } finally {
      queries.release()
      await expect.poll(running).toEqual([])
      expect((await ask(analytics, 'client', 'SELECT 1 AS one')).pages).toHaveLength(1)
      await analytics.stop()
      await queries.close()
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
