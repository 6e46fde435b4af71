import { beforeEach, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import { createApp } from '../../../api/server/app.ts'
import { consumeRateLimit, deleteEndedRateLimits, refundRateLimit } from '../../../api/server/rate-limits.queries.ts'
import { createSharedCounter } from '../../../api/server/shared-rate-limit.ts'
import type { TestApi } from '../../support/api.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi({
  READS_PER_MINUTE: '3',
  INTENT_READS_PER_MINUTE: '2',
  WRITES_PER_MINUTE: '2',
  TRUSTED_PROXIES: '10.0.0.1',
})
beforeEach(() => api.sql`delete from service.budgets`)

/** A client of its own. */
let clients = 0
const aClient = () => `203.0.113.${++clients}`

interface Sent {
  method?: string
  /** The peer of the socket; a configured proxy unless given. */
  socket?: string
  forwarded?: string
  body?: string
  app?: TestApi['app']
}

/** One request of a client, by default through the proxy. */
function send(path: string, { method = 'GET', socket = '10.0.0.1', forwarded, body, app = api.app }: Sent) {
  const headers = {
    ...(forwarded !== undefined && { 'X-Forwarded-For': forwarded }),
    ...(method === 'POST' && { 'X-Service-Idempotency-Key': crypto.randomUUID() }),
  }
  const init = { method, headers, ...(body !== undefined && { body }) }
  return app.request(path, init, { incoming: { socket: { remoteAddress: socket } } })
}

const aTask = JSON.stringify({ description: 'A haiku', reward: '2000000', duration: 24, tags: [] })
const challenge = (sent: Sent) => send('/api/tasks', { ...sent, method: 'POST', body: aTask })

describe('reads', () => {
  test('a client that used up its budget is told when it may come back, and others are not held up', async () => {
    const forwarded = aClient()
    for (const left of [2, 1, 0]) {
      const response = await send('/api/network', { forwarded })
      expect(response.status).toBe(200)
      expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"reads";r=${left};t=\\d+$`))
      expect(response.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=60')
    }
    const refused = await send('/api/network', { forwarded })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=\d+$/)
    expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', service: { reason: 'unclassified' } })
    expect((await send('/api/network', { forwarded: aClient() })).status).toBe(200)
  })

  test('clients of one IPv6 /48 have eight times the budget of one of them, and no more', async () => {
    const of = (client: number) => ({ forwarded: `2001:db8:${clients}:${client.toString(16)}::1` })
    clients += 1
    for (let client = 0; client < 8; client += 1) {
      for (const _ of [1, 2, 3]) expect((await send('/api/network', of(client))).status).toBe(200)
    }
    const refused = await send('/api/network', of(8))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('procedures use the same budget, each call of a batch one unit of it', async () => {
    const forwarded = aClient()
    const batch = await send('/trpc/network.info,network.info?batch=1', { forwarded })
    expect([batch.status, batch.headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"reads";r=1;/)])
    expect((await send('/api/network', { forwarded })).status).toBe(200)
    const refused = await send('/trpc/network.info', { forwarded })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(await refused.json()).toMatchObject({
      error: {
        code: -32029,
        data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429, service: { reason: 'unclassified' } },
      },
    })
  })

  test('an answer that is an error or bytes tells of the budget too', async () => {
    const forwarded = aClient()
    const code = await send('/api/tasks?limit=0', { forwarded })
    expect([code.status, code.headers.get('ratelimit')]).toEqual([400, expect.stringMatching(/^"reads";r=2;/)])
    const missing = await send(`/api/feedback/0x${'ab'.repeat(32)}`, { forwarded })
    expect([missing.status, missing.headers.get('ratelimit')]).toEqual([404, expect.stringMatching(/^"reads";r=1;/)])
  })

  test('an answer under two budgets tells of both', async () => {
    const forwarded = aClient()
    const read = () => send(`/api/intents?intentId=${crypto.randomUUID()}`, { forwarded })
    const first = await read()
    expect(first.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=60, "intentReads";q=2;w=60')
    expect(first.headers.get('ratelimit')).toMatch(/^"reads";r=2;t=\d+, "intentReads";r=1;t=\d+$/)
    await read()
    const refused = await read()
    expect([refused.status, refused.headers.get('ratelimit')]).toEqual([
      429,
      expect.stringMatching(/^"reads";r=0;t=\d+, "intentReads";r=0;t=\d+$/),
    ])
  })
})

describe('writes', () => {
  test('two processes on one database share the budget', async () => {
    const forwarded = aClient()
    const other = createApp(api.deps)
    const first = await challenge({ forwarded })
    expect([first.status, first.headers.get('ratelimit')]).toEqual([402, expect.stringMatching(/^"writes";r=1;/)])
    const second = await challenge({ forwarded, app: other })
    expect([second.status, second.headers.get('ratelimit')]).toEqual([402, expect.stringMatching(/^"writes";r=0;/)])
    for (const app of [api.app, other]) {
      const refused = await challenge({ forwarded, app })
      expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"writes";q=2;w=60'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const byProcedure = await send('/trpc/tasks.create', { forwarded, method: 'POST', body: aTask, app: other })
    expect(byProcedure.status).toBe(429)
  })

  test('a refused client comes back with the next window', async () => {
    const forwarded = aClient()
    for (const status of [402, 402, 429]) expect((await challenge({ forwarded })).status).toBe(status)
    await api.sql`update service.budgets set ends_at = now()`
    // Another process: this one remembers its refusal for a second.
    const fresh = await challenge({ forwarded, app: createApp(api.deps) })
    expect([fresh.status, fresh.headers.get('ratelimit')]).toEqual([402, expect.stringMatching(/^"writes";r=1;t=60$/)])
  })

  test('the table names no client', async () => {
    const forwarded = aClient()
    await challenge({ forwarded })
    await send(`/api/intents?intentId=${crypto.randomUUID()}`, { forwarded })
    const rows = await api.sql<
      { name: string; client: string }[]
    >`select name, client from service.budgets order by name`
    expect(rows.map(({ name }) => name)).toEqual(['intentReads', 'writes'])
    expect(JSON.stringify(rows)).not.toContain(forwarded)
    expect(rows[0]?.client).toMatch(/^[\w-]{22}$/)
    expect(rows[0]?.client).not.toBe(rows[1]?.client)
  })

  test('without the database reads go on, and a write says itself that nothing was charged', async () => {
    const sql = connectDatabase({ url: 'postgres://127.0.0.1:1/nothing', max: 1 })
    const app = createApp(onDatabase(api.deps, sql))
    const forwarded = aClient()
    expect((await send('/api/network', { forwarded, app })).status).toBe(200)
    const write = await challenge({ forwarded, app })
    expect([write.status, await write.json()]).toEqual([
      503,
      expect.objectContaining({ service: expect.objectContaining({ reason: 'idempotency_check_unavailable' }) }),
    ])
    const intents = await send(`/api/intents?intentId=${crypto.randomUUID()}`, { forwarded, app })
    expect(intents.status).toBe(503)
    await sql.end()
  })
})

describe('a database that is silent about the budgets', () => {
  /** Holds every statement about them up while `work` runs. */
  const silently = (work: () => Promise<unknown>) =>
    api.sql.begin(async (tx) => {
      await tx`lock table service.budgets in access exclusive mode`
      await work()
    })

  test('a write does not wait for it: what follows asks the database too', async () => {
    await silently(async () => {
      const response = await challenge({ forwarded: aClient() })
      expect([response.status, response.headers.get('ratelimit')]).toEqual([402, null])
    })
  })

  test('the answer of a write that landed does not wait for its unit', async () => {
    const app = createApp(api.deps)
    app.get('/landed', async (c) => {
      await silently(() => c.get('rateLimits').refund('writes'))
      return c.text('landed')
    })
    expect((await send('/landed', { forwarded: aClient(), app })).status).toBe(200)
  })
})

describe('a shared budget', () => {
  const key = { name: 'devices', client: 'a client' }
  const spend = (quota = 5, units = 1) => consumeRateLimit(api.sql, { ...key, quota, windowSeconds: 3600, units })

  test('grants exactly its units, however many come at once', async () => {
    const states = await Promise.all(Array.from({ length: 20 }, () => spend()))
    expect(states.filter(({ granted }) => granted)).toHaveLength(5)
    for (const { seconds } of states) expect(seconds).toBeLessThanOrEqual(3600)
  })

  test('what is refused is not counted, so a unit given back is one unit', async () => {
    for (let count = 0; count < 8; count += 1) await spend()
    await refundRateLimit(api.sql, key, 1)
    expect(await spend()).toMatchObject({ granted: true, left: 0 })
    expect(await spend()).toMatchObject({ granted: false, left: 0 })
  })

  test('of several units at once all are granted or none, however many ask at once', async () => {
    const states = await Promise.all(Array.from({ length: 10 }, () => spend(100, 30)))
    expect(states.filter(({ granted }) => granted)).toHaveLength(3)
    expect(await spend(100, 11)).toMatchObject({ granted: false, left: 10 })
    expect(await spend(100, 10)).toMatchObject({ granted: true, left: 0 })
    await refundRateLimit(api.sql, key, 30)
    expect(await spend(100, 30)).toMatchObject({ granted: true, left: 0 })
    expect(
      await consumeRateLimit(api.sql, { ...key, client: 'new', quota: 5, windowSeconds: 60, units: 6 }),
    ).toMatchObject({
      granted: false,
    })
  })

  test('nothing given back makes more than all', async () => {
    await spend()
    for (let count = 0; count < 3; count += 1) await refundRateLimit(api.sql, key, 1)
    expect(await spend()).toMatchObject({ granted: true, left: 4 })
  })

  test('a smaller quota counts at once', async () => {
    for (let count = 0; count < 4; count += 1) await spend()
    expect(await spend(2)).toMatchObject({ granted: false, left: 0 })
  })

  test('is forgotten when its window is over, and not before', async () => {
    await spend()
    await consumeRateLimit(api.sql, { name: 'writes', client: 'a client', quota: 5, windowSeconds: 3600, units: 1 })
    await api.sql`update service.budgets set ends_at = now() where name = 'devices'`
    expect(await deleteEndedRateLimits(api.sql, 10)).toBe(1)
    expect(await api.sql`select name from service.budgets`).toEqual([{ name: 'writes' }])
  })
})

describe('requests of one client at the same time', () => {
  /** A counter of five units an hour, and how many statements it has run. */
  function aCounter() {
    let statements = 0
    const sql = new Proxy(api.sql, {
      apply: (asked, self, statement) => {
        statements += 1
        return Reflect.apply(asked, self, statement)
      },
    })
    const counter = createSharedCounter({ ...api.deps, sql }, { name: 'devices', quota: 5, windowSeconds: 3_600 })
    return { consume: counter.consume, statements: () => statements }
  }
  const together = (consume: ReturnType<typeof aCounter>['consume'], client: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => consume(client)))

  test('are counted by two statements', async () => {
    const { consume, statements } = aCounter()
    const states = await together(consume, aClient(), 5)
    expect(states.map(({ granted, left }) => [granted, left])).toEqual([[true, 4], ...Array(4).fill([true, 0])])
    expect(statements()).toBe(2)
  })

  test('are granted as often as there are units, and those of another client are not held up', async () => {
    const { consume } = aCounter()
    const [many, few] = await Promise.all([together(consume, aClient(), 8), together(consume, aClient(), 3)])
    expect(many.filter(({ granted }) => granted)).toHaveLength(5)
    expect(few.every(({ granted }) => granted)).toBe(true)
  })

  test('are told of a database that fails, and the next one is counted', async () => {
    const { consume } = aCounter()
    const client = aClient()
    const broken = createSharedCounter(
      { ...api.deps, sql: (() => Promise.reject(new Error('no answer'))) as never },
      { name: 'devices', quota: 5, windowSeconds: 3_600 },
    )
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => broken.consume(client)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await expect(broken.consume(client)).rejects.toThrow('no answer')
    expect(await consume(client)).toMatchObject({ granted: true, left: 4 })
  })
})
