import { existsSync } from 'node:fs'
import { setInterval, setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byDepth } from '../../support/depth.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import { dumpRows } from '../../support/row-dump.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets } from '../writes/wallets.ts'
import { createCall, REWARD } from '../writes/write-calls.ts'
import { type HostileStatement, heavy, quick, slow } from './hostile-statements.ts'

let stack: TestStack
let superuser: postgres.Sql
let readerUrl: string

/** Hostile statements over HTTP, and on the reader's own login, on a stack with a task. Its queries may take 1 s. */
export function testHostileSql(find: () => TestStack): void {
  describe('hostile SQL', () => {
    beforeAll(async () => {
      stack = find()
      superuser = postgres(stack.databaseUrl, { max: 2, onnotice: () => {} })
      readerUrl = stack.logins.readerUrl ?? ''
      await stack.standby?.replayed()
      const account = await createWallets(stack).funded(2n * REWARD)
      expect((await createPayingClient({ baseUrl: stack.baseUrl(), account }).pay(createCall())).status).toBe(200)
    })
    afterAll(async () => {
      await superuser?.end()
    })

    describe('given statements that write, read other data, lock or send messages', () => {
      test('when each is sent over HTTP, then each is 400 with a sentence, and nothing has changed', async () => {
        const before = await stateOf()
        for (const { text } of quick) {
          const answer = await overHttp(text)
          expect([text, answer.status]).toEqual([text, 400])
          expect(JSON.parse(answer.text).error).toMatch(/^query: .+/)
          expect(answer.text).not.toMatch(/\/(usr|tmp|work|home|var)\/|node_modules/)
        }
        expect(await stateOf()).toEqual(before)
        expect(existsSync('/tmp/task-market-was-here')).toBe(false)
      })

      test('when each is sent on the bare login, then each is refused, and nothing has changed', async () => {
        const before = await stateOf()
        const outcomes: [string, string, boolean][] = []
        for (const { text, direct } of quick) {
          const code = await onLogin(text)
          outcomes.push([text, code, direct === 'rows' ? code === 'rows' : code !== 'rows' && direct.test(code)])
        }
        expect(outcomes.filter(([, , isExpected]) => !isExpected)).toEqual([])
        expect(await stateOf()).toEqual(before)
        expect(existsSync('/tmp/task-market-was-here')).toBe(false)
      })

      test('when a session on the bare login changes what it may, then the service goes on, and the script repairs it', async () => {
        const listener = postgres(readerUrl, { max: 1, fetch_types: false })
        await listener.unsafe('LISTEN service_outbox; LISTEN service_intents; LISTEN market_head')
        for (let sent = 0; sent < 100; sent += 1) {
          const channel = ['service_outbox', 'service_intents', 'market_head'][sent % 3]
          await listener.unsafe(`NOTIFY ${channel}, 'not an id'`)
        }
        const account = await createWallets(stack).funded(2n * REWARD)
        const { status } = await createPayingClient({ baseUrl: stack.baseUrl(), account }).pay(createCall())
        expect(status).toBe(200)
        await listener.end()

        expect(await onLogin("BEGIN READ WRITE; ALTER ROLE market_reader PASSWORD 'changed'; COMMIT")).toBe('rows')
        await stack.standby?.replayed()
        const answer = await overHttp('SELECT 1 AS one')
        expect([answer.status, JSON.parse(answer.text).error]).toEqual([
          503,
          expect.stringMatching(/could not be run now/),
        ])
        expect((await fetch(`${stack.baseUrl()}/api/tasks`)).status).toBe(200)
        const { openLogins } = await import('../../../scripts/postgres/database-logins.ts')
        await openLogins(stack.databaseUrl, { isOwnServer: true })
        await stack.standby?.replayed()
        expect((await overHttp('SELECT 1 AS one')).status).toBe(200)
      })
    })

    describe('given statements that take all they can get, while writes go on', () => {
      test('then each ends alone with its sentence, the server stays up, every write lands, and reads answer', async () => {
        const started = await serverStart()
        const writing = keepWriting()
        const all = [...heavy, ...byDepth(slow.slice(0, 1), slow)]
        const answers: [string, number, string][] = []
        const outcomes: (readonly [string, string, boolean])[] = []
        try {
          for (const { text } of all) {
            const answer = await overHttp(text)
            answers.push([text.slice(0, 80), answer.status, answer.text])
          }
          outcomes.push(
            ...(await inParts(byDepth([], all), 3, async ({ text, direct }) => {
              const code = await onLogin(text)
              return [text.slice(0, 80), code, direct !== 'rows' && direct.test(code)] as const
            })),
          )
        } finally {
          await writing.stop()
        }
        expect(answers.filter(([, status]) => status !== 400)).toEqual([])
        expect(outcomes.filter(([, , isExpected]) => !isExpected)).toEqual([])
        expect(writing.statuses.length).toBeGreaterThan(2)
        expect(writing.statuses.filter((status) => status !== 200)).toEqual([])
        expect(writing.reads.filter((status) => status !== 200)).toEqual([])
        expect(await serverStart()).toBe(started)
        await expect
          .poll(async () => await superuser`SELECT pid FROM pg_stat_activity WHERE usename = 'market_reader'`)
          .toEqual([])
      })
    })
  })
}

/** Asks again while another query has the turn of the address: one that the server is slow to cancel keeps it. */
async function overHttp(query: string): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({ query })
  for (;;) {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${stack.baseUrl()}/api/sql`, { method: 'POST', headers, body })
    const answer = { status: response.status, text: await response.text() }
    if (answer.status !== 429) return answer
    await setTimeout(100)
  }
}

/** On the reader's own login, as psql would: the SQL state of the refusal, or `rows`. */
async function onLogin(text: string): Promise<string> {
  const sql = postgres(readerUrl, { max: 1, fetch_types: false, onnotice: () => {}, idle_timeout: 1 })
  try {
    await sql.unsafe(text).simple()
    return 'rows'
  } catch (error) {
    if (error instanceof postgres.PostgresError) return error.code
    throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Everything that a reader must not change, as it is now. */
async function stateOf() {
  const service = await dumpRows(superuser, 'service')
  const [server] = await superuser`
    SELECT (SELECT count(*) FROM pg_class) AS relations, (SELECT count(*) FROM pg_proc) AS functions,
      (SELECT array_agg(rolname ORDER BY rolname) FROM pg_roles) AS roles,
      (SELECT array_agg(rolpassword ORDER BY rolname) FROM pg_authid) AS passwords,
      (SELECT count(*) FROM pg_largeobject_metadata) AS objects,
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid IN
        (SELECT pid FROM pg_stat_activity WHERE usename = 'market_reader')) AS locks`
  // When rounds of the books are due changes by itself, and the log of changes follows the indexer.
  for (const name of ['audits', 'events', 'event_parties', 'event_log']) service.tables.delete(name)
  const { schema } = stack.indexer ?? { schema: '' }
  return { service: Object.fromEntries(service.tables), market: (await dumpRows(superuser, schema)).hash, server }
}

/** No backend was ended since: that would have restarted all of them. */
async function serverStart(): Promise<string> {
  const [row] = await superuser<{ at: string }[]>`
    SELECT pg_postmaster_start_time()::text || ' ' || min(backend_start)::text AS at FROM pg_stat_activity
    WHERE backend_type = 'checkpointer'`
  return row?.at ?? ''
}

/** How often the load writes, milliseconds: a statement runs for seconds, and the load shall leave it a core. */
const WRITE_EVERY_MS = 500

/** Pays for tasks, one at a time, and reads the list in between. */
function keepWriting() {
  const statuses: number[] = []
  const reads: number[] = []
  let isEnding = false
  const running = (async () => {
    const account = await createWallets(stack).funded(100_000n * REWARD)
    const client = createPayingClient({ baseUrl: stack.baseUrl(), account })
    for await (const _ of setInterval(WRITE_EVERY_MS)) {
      if (isEnding) break
      statuses.push((await client.pay(createCall())).status)
      reads.push((await fetch(`${stack.baseUrl()}/api/tasks?limit=5`)).status)
    }
  })()
  return {
    statuses,
    reads,
    stop: async () => {
      isEnding = true
      await running
    },
  }
}

/** So many at a time, in order. */
async function inParts<Result>(
  statements: readonly HostileStatement[],
  atOnce: number,
  work: (statement: HostileStatement) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < statements.length; start += atOnce) {
    results.push(...(await Promise.all(statements.slice(start, start + atOnce).map(work))))
  }
  return results
}
