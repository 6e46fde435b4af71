import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkReader } from '../../../graphql/check-reader.ts'
import { openReaderPool } from '../../../graphql/reader-pool.ts'
import { findViewsFault } from '../../../ops/doctor/analysts.ts'
import { captureLog } from '../../support/captured-log.ts'
import { startCuttableProxy } from '../../support/cuttable-proxy.ts'
import { startSilentServer } from '../../support/silent-server.ts'
import { codesOf, openGraphqlApp, sendTo } from './graphql-api.ts'
import { countTasks, type LockableApi, startLockableApi } from './lockable-api.ts'

let api: LockableApi
beforeAll(async () => {
  api = await startLockableApi()
})
afterEach(() => api.owner.unlock())
afterAll(() => api.stop())

function openPool(url: string, schema = 'market'): pg.Pool {
  return openReaderPool({ READER_DATABASE_URL: url, MARKET_SCHEMA: schema }, pino({ level: 'silent' }))
}

/** GraphQL that connects to another port than the server's. */
function openAppBehind(port: number) {
  const url = new URL(api.readerUrl)
  url.port = String(port)
  return openGraphqlApp(url.href)
}

describe('the database', () => {
  test('given a login and a URL with other settings, a session has those of the process', async () => {
    const url = new URL(api.readerUrl)
    await api.owner.sql.unsafe(`alter role ${url.username} set statement_timeout = 0`)
    url.searchParams.set('options', '-c statement_timeout=0 -c default_transaction_read_only=off')
    url.searchParams.set('application_name', 'another')
    url.searchParams.set('statement_timeout', '0')
    const pool = openPool(url.href)
    try {
      const names = ['application_name', 'search_path', 'statement_timeout', 'idle_in_transaction_session_timeout']
      names.push('default_transaction_read_only', 'jit', 'max_parallel_workers_per_gather')
      const settings = await Promise.all(names.map((name) => pool.query(`show ${name}`)))
      expect(settings.map(({ rows }) => Object.values(rows[0])[0])).toEqual([
        'task-market-graphql',
        'market',
        '2s',
        '2s',
        'on',
        'off',
        '0',
      ])
      expect(pool.totalCount).toBe(2)
    } finally {
      await pool.end()
    }
  })

  test.each([
    ['market', []],
    ['markt', [expect.objectContaining({ level: 40, setting: 'MARKET_SCHEMA', schema: 'markt' })]],
  ])('given the schema %s, then a start and doctor name it where it has no views', async (schema, lines) => {
    const pool = openPool(api.readerUrl, schema)
    const captured = captureLog()
    try {
      await checkReader(pool, pino({}, captured))
      expect(captured.lines()).toEqual(lines)
      const faults = await findViewsFault({ READER_DATABASE_URL: api.readerUrl, MARKET_SCHEMA: schema })
      expect(faults).toEqual(lines.map(() => ({ fault: 'no_views', of: 'MARKET_SCHEMA', detail: schema })))
    } finally {
      await pool.end()
    }
  })

  test('given sessions that the database ends, later requests open new ones', async () => {
    await Promise.all([api.ask(countTasks), api.ask(countTasks)])
    // Their transactions end after the answers.
    const idle = async () => {
      const [row] = await api.owner.sql`
        select count(*)::int as idle from pg_stat_activity
        where application_name = 'task-market-graphql' and datname = current_database() and state = 'idle'`
      return row?.idle
    }
    await expect.poll(idle, { interval: 5 }).toBe(2)
    await api.owner.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'task-market-graphql' and datname = current_database()`
    // Until the pool has heard of both, a request may still get one, and then its statement fails instead.
    await expect.poll(() => api.log.lines('database connection lost').length, { interval: 5 }).toBe(2)
    expect((await api.ask(countTasks)).status).toBe(200)
  })

  test('given a database that stops during a statement, answers are 503 until it is back', async () => {
    const { hostname, port } = new URL(api.readerUrl)
    const proxy = await startCuttableProxy({ host: hostname, port: Number(port) })
    const { app, pool } = openAppBehind(proxy.port)
    const body = JSON.stringify({ query: countTasks })
    try {
      await api.owner.lock('task')
      const hanging = sendTo(app, body)
      await api.owner.untilStatements(1)
      proxy.cut()
      const lost = await hanging
      expect([lost.status, codesOf(lost)]).toEqual([503, ['DATABASE_UNAVAILABLE']])
      const down = await sendTo(app, body)
      expect([down.status, codesOf(down)]).toEqual([503, ['DATABASE_UNAVAILABLE']])
      expect(down.headers.get('retry-after')).toBe('2')
      expect(down.text).not.toMatch(/127\.0\.0\.1|ECONN/)
      expect((await app.request('/health')).status).toBe(200)
      proxy.mend()
      await api.owner.unlock()
      expect((await sendTo(app, body)).status).toBe(200)
    } finally {
      await pool.end()
      await proxy.stop()
    }
  })

  test('given a server that accepts connections and never answers, the answer says so all the same', async () => {
    const silent = await startSilentServer()
    const { app, pool } = openAppBehind(silent.port)
    try {
      const answer = await sendTo(app, JSON.stringify({ query: countTasks }))
      expect([answer.status, codesOf(answer)]).toEqual([503, ['DATABASE_UNAVAILABLE']])
    } finally {
      await pool.end()
      await silent.stop()
    }
  })
})
