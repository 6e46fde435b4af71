import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnalytics, QueryTimeout } from '../../../api/analytics/analytics.ts'
import { startTestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { openReader } from '../../support/reader.ts'
import { holdQueries } from './held-queries.ts'
import { type SqlApi, startSqlApi } from './sql-api.ts'

let api: SqlApi
/** How long a query may take here, seconds: it can be seen to run on a busy machine, and waits less for a lock. */
const SECONDS = 3
const stopped = expect.stringMatching(`^query: The query was stopped after ${SECONDS} s: narrow it`)

beforeAll(async () => {
  api = await startSqlApi({ SQL_QUERY_MS: String(SECONDS * 1_000) })
})

afterAll(() => api.stop())

describe('given a slow query', () => {
  const forever = 'SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b'
  const running = async () => {
    const rows = await api.sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where usename = 'market_reader' and state <> 'idle' and datname = current_database()`
    return rows.map(({ pid }) => pid)
  }

  const select = (text: string) => ({ text, parameters: [] })
  /** Analysts' SQL whose first queries reach a server process that ignores signals. Time ends nothing: the test gives up. */
  const openHeld = async (count: number) => {
    const queries = await holdQueries(api.sql, api.readerUrl, count)
    const analytics = createAnalytics({ readerUrl: queries.url, schema: 'market', deadlineMs: 3_600_000 })
    const client = new AbortController()
    return {
      queries,
      analytics,
      query: { ...select(forever), signal: client.signal },
      giveUp: () => client.abort(new Error('given up')),
      [Symbol.asyncDispose]: async () => {
        queries.release()
        await analytics.stop()
        await queries.close()
      },
    }
  }

  test('when its time is over, then it ends in the database too, with a message about the time', async () => {
    const { status, body } = await api.ask(forever)
    expect([status, body.error]).toEqual([400, stopped])
    await expect.poll(running).toEqual([])
  })

  test('when it waits for a lock, then it ends before its time, and is to be sent again', async () => {
    const holder = postgres(api.deps.config.DATABASE_URL, { max: 1 })
    try {
      await holder.begin(async (tx) => {
        await tx`lock table market.award in access exclusive mode`
        const { status, body } = await api.ask('SELECT count(*) FROM award')
        expect([status, body.error]).toEqual([
          400,
          expect.stringMatching(/^query: The query waited too long for a table/),
        ])
      })
    } finally {
      await holder.end()
    }
    expect((await api.ask('SELECT count(*) AS n FROM award')).body.rows).toEqual([{ n: '0' }])
  })

  test('when the server cannot cancel it, then the answer comes at once and the slot is held until it ends', async () => {
    await using held = await openHeld(1)
    const { analytics, queries } = held
    const answer = analytics.query('client', held.query, async () => null)
    const [pid] = await queries.stopped()
    held.giveUp()
    await expect(answer).rejects.toThrow('given up')
    let isServed = false
    const next = analytics
      .query('client', select('SELECT 1 AS one'), async ({ rows }) => rows)
      .finally(() => {
        isServed = true
      })
    // Another client has a slot meanwhile.
    for (let sent = 0; sent < 3; sent += 1) {
      await analytics.query('another client', select('SELECT 2 AS two'), async () => null)
    }
    expect(isServed).toBe(false)
    expect(await running()).toContain(pid)
    queries.release()
    expect(await next).toEqual([['1']])
    await expect.poll(running).toEqual([])
  })

  test('when the server cannot cancel those of two clients, then two queries of others run at a time', async () => {
    await using held = await openHeld(2)
    const { analytics, queries } = held
    const stuck = ['first', 'second'].map((client) => analytics.query(client, held.query, async () => null))
    const answers = Promise.allSettled(stuck)
    const pids = await queries.stopped()
    held.giveUp()
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    let both: () => void = () => {}
    const bothRun = new Promise<void>((resolve) => {
      both = resolve
    })
    const writing: string[] = []
    const others = ['third', 'fourth'].map((client) =>
      analytics.query(client, select('SELECT 2 AS two'), async () => {
        writing.push(client)
        if (writing.length === 2) both()
        await bothRun
      }),
    )
    await Promise.all(others)
    expect(await running()).toEqual(expect.arrayContaining(pids))
    queries.release()
    await expect.poll(running).toEqual([])
  })

  test('when its answer is slow to write, then the same deadline ends it, and its slot is held until then', async () => {
    const { analytics } = api.deps
    const query = { text: 'SELECT 1 AS one', parameters: [] }
    const order: string[] = []
    const writing = analytics.query('slow', query, async (_answer, signal) => {
      order.push('writing')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      order.push('aborted')
      throw signal.reason
    })
    // Seen a second later: the deadline of the next query is as much later, and leaves it that time to run.
    await expect.poll(() => order, { interval: 1_000 }).toEqual(['writing'])
    const next = analytics.query('slow', query, async () => order.push('next'))
    await expect(writing).rejects.toThrow(QueryTimeout)
    await next
    expect(order).toEqual(['writing', 'aborted', 'next'])
  })

  test('when the client has one running, then four others wait, and the next one is refused with 429', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.ask('SELECT 1 AS one')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
    const busy = answers.find(({ status }) => status === 429)
    expect(busy?.headers.get('Retry-After')).toBe('1')
    expect(busy?.body.error).toBe(
      '4 queries of this address wait already, and one runs at a time: send them one by one.',
    )
  })
})

describe('given answers that clients have not read', () => {
  /** Requests whose answers never end, until `stop`. */
  const openResponses = async (count: number) => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const responses: ServerResponse[] = []
    server.on('request', (_request, response) => responses.push(response))
    const { port } = server.address() as AddressInfo
    const clients = Array.from({ length: count }, () => request({ port, host: '127.0.0.1' }).on('error', () => {}))
    for (const client of clients) client.end()
    await expect.poll(() => responses.length).toBe(count)
    const stop = async () => {
      const closed = once(server, 'close')
      server.close()
      for (const client of clients) client.destroy()
      await closed
    }
    return { responses, stop }
  }
  const megabytes = 1024 * 1024

  test('when they are its own and reach its share, then it gets 429 until they have ended, and others are served', async () => {
    const { responses, stop } = await openResponses(1)
    try {
      api.deps.analytics.unsent.hold('local', 16 * megabytes, responses[0])
      const { status, headers, body } = await api.ask('SELECT 1 AS one')
      expect([status, headers.get('Retry-After')]).toEqual([429, '1'])
      expect(body.error).toMatch(/^This address has yet to take earlier answers, and may have 16 MB of them/)
      const other = api.deps.analytics.query(
        'another client',
        { text: 'SELECT 2', parameters: [] },
        async () => 'served',
      )
      expect(await other).toBe('served')
    } finally {
      await stop()
    }
    await expect.poll(async () => (await api.ask('SELECT 1 AS one')).status).toBe(200)
  })

  test('when those of all clients reach the bound, then any client gets 503', async () => {
    const { responses, stop } = await openResponses(4)
    try {
      for (const [index, response] of responses.entries()) {
        api.deps.analytics.unsent.hold(`client ${index}`, 16 * megabytes, response)
      }
      const { status, body } = await api.ask('SELECT 1 AS one')
      expect([status, body.error]).toEqual([503, 'Clients have yet to take too many answers; try again shortly.'])
    } finally {
      await stop()
    }
    await expect.poll(async () => (await api.ask('SELECT 1 AS one')).status).toBe(200)
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
      count: 1,
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
  expect([status, body.error]).toEqual([400, 'query: The answer has more than 1 MB: ask for fewer columns or rows.'])
})

describe('given a missing or unsafe reader', () => {
  test('when no login is set, then 503 names the command for the operator', async () => {
    const other = await startTestApi()
    try {
      const { status, body } = await other.post('/api/sql', { query: 'SELECT 1' })
      expect([status, body.error]).toEqual([503, expect.stringMatching(/docs\/operations\.md, "Database logins"/)])
    } finally {
      await other.stop()
    }
  })

  test.each([
    ['a superuser', () => api.deps.config.DATABASE_URL, /the reader may act as a superuser/],
    ['the login of the indexer', () => api.indexerUrl, /the reader may execute set_config/],
    [
      'a login whose password is another one',
      () => api.readerUrl.replace('market_reader', 'market_service'),
      /^The query could not/,
    ],
  ])('when it is %s, then no query is executed', async (_name, url, sentence) => {
    const kept = api.deps.analytics
    api.deps.analytics = createAnalytics({
      readerUrl: url(),
      schema: 'market',
      deadlineMs: api.deps.config.SQL_QUERY_MS,
    })
    try {
      const { status, body } = await api.ask('SELECT 1 AS one')
      expect([status, body.error]).toEqual([503, expect.stringMatching(sentence)])
    } finally {
      await api.deps.analytics.stop()
      api.deps.analytics = kept
    }
  })

  test('when a harmful function is granted to PUBLIC again, then no query is executed until it is revoked', async () => {
    await api.sql`grant execute on function pg_catalog.pg_notify(text, text) to public`
    try {
      const { status, body } = await api.ask('SELECT 1 AS one')
      expect([status, body.error]).toEqual([503, expect.stringMatching(/the reader may execute pg_notify/)])
    } finally {
      await api.sql`revoke execute on function pg_catalog.pg_notify(text, text) from public`
    }
    expect((await api.ask('SELECT 1 AS one')).status).toBe(200)
  })

  test('when its login has settings that change the meaning of texts, then a query gives the same rows', async () => {
    const name = new URL(api.readerUrl).pathname.slice(1)
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
    const indexer = postgres(api.indexerUrl, { max: 1 })
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
  const other = await startTestApi({ SQL_PER_MINUTE: '2' })
  try {
    await openReader(other)
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
