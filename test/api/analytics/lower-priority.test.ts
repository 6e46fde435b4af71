import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, getPriority } from 'node:os'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LocalSession, lowerPriority } from '../../../api/analytics/lower-priority.ts'
import { startReaderSession } from '../../../api/analytics/reader-session.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

/** "Nice" 19: every other process on the machine precedes it. */
const lowest = constants.priority.PRIORITY_LOW

let database: TestDatabase
let sql: postgres.Sql
/** The session of `sql`, whose process has the server's default priority. */
let session: LocalSession

beforeEach(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 1 })
  const [row] = await sql<LocalSession[]>`
    SELECT pg_backend_pid() AS "processId", host(inet_client_addr()) AS "localAddress",
      inet_client_port() AS "localPort"`
  if (row === undefined) throw new Error('a session has a process')
  session = row
  // Otherwise no test here could fail.
  expect(getPriority(session.processId)).toBeLessThan(lowest)
})

afterEach(async () => {
  await sql.end()
  await database.drop()
})

test('given a query of an analyst, when it runs, then its process has the lowest priority, and no other one', async () => {
  const before = getPriority(session.processId)
  const limits = { signal: new AbortController().signal, maxBytes: 1_000_000 }
  const { result, closed } = startReaderSession({ url: database.url, schema: 'public' }, limits, async ({ run }) => {
    const { rows } = await run('SELECT pg_backend_pid()')
    return getPriority(Number(rows[0]?.[0]))
  })
  expect(await result).toBe(lowest)
  await closed
  expect(getPriority(session.processId)).toBe(before)
})

describe('given the process of a session', () => {
  test('when its title names our end of the connection, then it gets the lowest priority', async () => {
    await lowerPriority(session)
    expect(getPriority(session.processId)).toBe(lowest)
  })

  test.each<[string, (ours: LocalSession) => Partial<LocalSession>]>([
    ['another port', ({ localPort }) => ({ localPort: localPort - 1 })],
    ['a port that begins like it', ({ localPort }) => ({ localPort: Math.floor(localPort / 10) })],
    ['a port that ends like it', ({ localPort }) => ({ localPort: localPort % 1_000 })],
    ['another address', () => ({ localAddress: '127.0.0.2' })],
    ['an address that ends like it', () => ({ localAddress: '27.0.0.1' })],
  ])('when our end of the connection is %s, then its priority stays', async (_name, change) => {
    const before = getPriority(session.processId)
    await lowerPriority({ ...session, ...change(session) })
    expect(getPriority(session.processId)).toBe(before)
  })
})

test('given a process that is not of PostgreSQL, when its arguments name the connection, then its priority stays', async () => {
  const { localAddress, localPort } = session
  const title = `postgres: reader market ${localAddress}(${localPort}) idle`
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', title], { stdio: 'ignore' })
  const ended = once(stranger, 'exit')
  try {
    await once(stranger, 'spawn')
    const processId = stranger.pid ?? 0
    const before = getPriority(processId)
    await lowerPriority({ ...session, processId })
    expect(getPriority(processId)).toBe(before)
  } finally {
    stranger.kill('SIGKILL')
    await ended
  }
  // Nor does an ended process fail the query.
  await lowerPriority({ ...session, processId: stranger.pid ?? 0 })
})

test('given a session straight on the reader’s login, when it uses parallel workers, then they have the lowest priority', async () => {
  const { readerUrl } = await openLogins(database.url, { isOwnServer: true })
  const reader = postgres(readerUrl ?? '', { max: 1, fetch_types: false })
  try {
    await reader`SET max_parallel_workers_per_gather = 2`
    await reader`SET debug_parallel_query = on`
    const query =
      reader`SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b`.execute()
    const ended = query.then(
      () => null,
      (error: unknown) => error,
    )
    const workers = async () => {
      const rows = await sql<{ pid: number }[]>`
        SELECT worker.pid FROM pg_stat_activity AS worker JOIN pg_stat_activity AS session ON session.pid = worker.leader_pid
        WHERE worker.backend_type = 'parallel worker' AND session.usename = 'market_reader'
          AND session.datname = current_database()`
      return rows.map(({ pid }) => getPriority(pid))
    }
    await expect.poll(workers, { interval: 50 }).toEqual([lowest])
    query.cancel()
    await ended
  } finally {
    await reader.end()
  }
})
