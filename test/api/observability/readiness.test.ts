import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { StorageUnavailableError } from '../../../api/artifacts/storage/object-store.ts'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import type { Difference } from '../../../api/read-model/books.queries.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { startSilentServer } from '../../support/silent-server.ts'
import { appOn, fundRelayers, indexUpTo, storeRounds } from './operator-api.ts'

let api: TestApi
let chain: TestApi['chain']
/** The service, with nothing measured yet. */
let service: ReturnType<typeof appOn>
beforeAll(async () => {
  api = await startTestApi()
  fundRelayers(api)
  chain = { ...api.chain }
})
afterAll(() => api.stop())
beforeEach(async () => {
  delete api.chain.current
  Object.assign(api.chain, chain)
  await api.sql`update service.audits set state = null, compared_at = null`
  await indexUpTo(api, 1n, START)
  service = appOn(api, api.deps.config.DATABASE_URL)
})
afterEach(() => service.stop())

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await service.app.request(path, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

describe('GET /ready', () => {
  it('given every part answers, then 200 with what each said', async () => {
    const { status, body, headers } = await get('/ready')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ready',
      writes: true,
      checks: {
        database: { status: 'ok', milliseconds: expect.any(Number) },
        databaseWrites: { status: 'ok', milliseconds: expect.any(Number) },
        chain: { status: 'ok', milliseconds: expect.any(Number), block: 1, headAgeSeconds: 0 },
        nodes: { status: 'ok', nodes: [] },
        indexer: { status: 'ok', blocksBehind: 0, secondsBehind: 0, block: 1 },
        relayers: { status: 'ok' },
        storage: { status: 'ok', milliseconds: expect.any(Number) },
        books: { status: 'ok' },
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('given a head that stands still, then 200 and degraded for readers, and no writes', async () => {
    api.chain.current = api.chain.now + 61n
    const { status, body } = await get('/ready')
    const forWrites = await get('/ready?for=writes')
    expect([status, forWrites.status, body.status, body.writes]).toEqual([200, 503, 'degraded', false])
    expect(body.checks.chain).toMatchObject({ status: 'failed', headAgeSeconds: 61 })
  })

  it('given one of several nodes that is not usable, then 200, degraded, writes, and its verdict here and in the metrics', async () => {
    const failures = { timeout: 2, limit: 0, error: 0 }
    const { app, stop } = appOn(
      api,
      api.deps.config.DATABASE_URL,
      {},
      {
        nodes: [
          { node: 1, verdict: 'silent', isCurrent: false, block: null, failures },
          { node: 2, verdict: 'ok', isCurrent: true, block: 7n, failures },
        ],
      },
    )
    const answer = await app.request('/ready')
    const body = JSON.parse(await answer.text())
    const metrics = await (await app.request('/metrics')).text()
    await stop()
    expect([answer.status, body.status, body.writes]).toEqual([200, 'degraded', true])
    expect(body.checks.nodes).toEqual({
      status: 'degraded',
      reason: 'not usable of the nodes: 1',
      nodes: [
        { node: 1, verdict: 'silent', current: false, block: null },
        { node: 2, verdict: 'ok', current: true, block: 7 },
      ],
    })
    expect(metrics.split('\n').filter((line) => line.startsWith('taskmarket_node_'))).toEqual([
      'taskmarket_node_usable{node="1"} 0',
      'taskmarket_node_usable{node="2"} 1',
      'taskmarket_node_current{node="1"} 0',
      'taskmarket_node_current{node="2"} 1',
      'taskmarket_node_block{node="2"} 7',
      'taskmarket_node_failures_total{node="1",failure="timeout"} 2',
      'taskmarket_node_failures_total{node="1",failure="limit"} 0',
      'taskmarket_node_failures_total{node="1",failure="error"} 0',
      'taskmarket_node_failures_total{node="2",failure="timeout"} 2',
      'taskmarket_node_failures_total{node="2",failure="limit"} 0',
      'taskmarket_node_failures_total{node="2",failure="error"} 0',
    ])
  })

  it('given no relayer with a balance for gas, then 200 and degraded for readers, and no writes', async () => {
    fundRelayers(api, 3_750_000n * 10n ** 9n - 1n)
    const { status, body } = await get('/ready')
    expect([status, body.status, body.writes]).toEqual([200, 'degraded', false])
    expect((await get('/ready?for=writes')).status).toBe(503)
    expect(body.checks.relayers).toEqual({
      status: 'failed',
      reason: expect.any(String),
      poor: [api.deps.relayer.accounts[0].address],
    })
  })

  it.each([
    [2, { status: 'ok' }],
    [3, { status: 'degraded', reason: 'a signer gives no signatures' }],
  ])(
    'given a signer that failed %i times in a row, then it is named from three on, and writes are taken',
    async (failures, report) => {
      const [relayer] = api.deps.relayer.accounts
      const spy = vi.spyOn(relayer, 'failures').mockReturnValue(failures)
      try {
        const { status, body } = await get('/ready?for=writes')
        const unsigned = failures < 3 ? {} : { unsigned: [relayer.address] }
        expect([status, body.checks.relayers]).toEqual([200, { ...report, ...unsigned }])
        const metrics = await service.observe.scrape()
        expect(metrics).toContain(`taskmarket_signer_failures{relayer="${relayer.address}"} ${failures}`)
      } finally {
        spy.mockRestore()
      }
    },
  )

  it('given a storage that does not work, then 200 and degraded, and no look more often than every ten seconds', async () => {
    let looks = 0
    const { app, stop } = appOn(
      api,
      api.deps.config.DATABASE_URL,
      {},
      {
        probeStorage: async () => {
          looks += 1
          throw new StorageUnavailableError({ cause: new Error('HEAD was answered 403') })
        },
      },
    )
    for (let probe = 0; probe < 5; probe += 1) {
      const response = await app.request('/ready')
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({
        status: 'degraded',
        writes: true,
        checks: { storage: { status: 'degraded', reason: 'the file storage answered with an error' } },
      })
    }
    expect(looks).toBe(1)
    await stop()
  })

  it('given rows that differ from the contracts, then 200 and degraded, with the sums and what they are of', async () => {
    const differences: Difference[] = [
      { sum: 'market_total_escrow', of: null, amount: '1' },
      { sum: 'credits', of: '0xa', amount: '-2' },
    ]
    await storeRounds(api, { sums: differences, tasks: [{ sum: 'tasks', of: '0xb', amount: '1', fields: ['escrow'] }] })
    const { status, body } = await get('/ready')
    expect([status, body.status, body.writes]).toEqual([200, 'degraded', true])
    expect(body.checks.books).toEqual({
      status: 'degraded',
      reason: 'rows and contracts differ in market_total_escrow, credits, tasks',
      differences: [...differences, { sum: 'tasks', of: '0xb', amount: '1', fields: ['escrow'] }],
    })
  })

  it('given rows that were not compared for five minutes, then 200 and degraded', async () => {
    await storeRounds(api, { sums: [], tasks: [] })
    await api.sql`update service.audits set compared_at = now() - interval '301 seconds' where part = 'tasks'`
    const { status, body } = await get('/ready')
    expect([status, body.status, body.checks.books]).toEqual([
      200,
      'degraded',
      { status: 'degraded', reason: 'rows and contracts were not compared for 300 s' },
    ])
  })

  it('given an indexer too far behind, then 503 naming it; within the bound, then ready', async () => {
    await indexUpTo(api, 0n, START - 61n)
    const { status, body } = await get('/ready')
    expect([status, body.status]).toEqual([503, 'unready'])
    expect(body.checks.indexer).toMatchObject({ status: 'failed', blocksBehind: 1, secondsBehind: 61 })
    expect(body.checks.database.status).toBe('ok')
    const other = appOn(api, api.deps.config.DATABASE_URL)
    await indexUpTo(api, 0n, START - 60n)
    expect((await other.app.request('/ready')).status).toBe(200)
    await other.stop()
  })

  it('given a chain that stands still, then ready while the read model is at its head', async () => {
    await indexUpTo(api, 1n, START - 1_000n)
    expect((await get('/ready')).status).toBe(200)
  })

  it('given a node that does not answer, then 200 and degraded for readers, and no word of why', async () => {
    api.chain.head = async () => ({ number: 1n, timestamp: START })
    api.chain.latestHead = () => Promise.reject(new ChainUnavailable('no answer from http://10.0.0.1/secret'))
    const { status, body } = await get('/ready')
    expect([status, body.status, body.writes, body.checks.chain.status]).toEqual([200, 'degraded', false, 'failed'])
    expect((await get('/ready?for=writes')).status).toBe(503)
    expect(JSON.stringify(body)).not.toMatch(/10\.0\.0\.1|secret/)
  })

  it('given rows that are written again, then 503 with the height, and reads are refused with it', async () => {
    await api.sql`update indexed_head set ready = false, recovers_to = 7`
    await api.deps.indexedHead.refresh()
    const { status, body } = await get('/ready')
    expect([status, body.status, body.writes]).toEqual([503, 'unready', false])
    expect(body.checks.indexer).toMatchObject({ status: 'failed', block: 1, recoversTo: 7 })
    const list = await get('/api/tasks')
    expect([list.status, list.body.service.detail, list.headers.get('retry-after')]).toEqual([
      503,
      'index_recovering',
      '2',
    ])
    expect(list.body.error).toContain('up to block 7 and is at block 1')
    const key = crypto.randomUUID()
    expect((await get('/api/tasks', { 'X-Service-Idempotency-Key': key })).status).toBe(503)
    const select = await api.post('/api/sql', { query: 'select 1' }, { 'X-Service-Idempotency-Key': key })
    expect(select.body.service.detail).toBe('index_recovering')
    expect((await get('/trpc/health?batch=1')).status).toBe(200)
    expect((await get('/trpc/intents.get,agents.count?batch=1')).status).toBe(503)
    const creation = { description: 'Name it', reward: '1000000', duration: 24, tags: [] }
    const write = await api.post('/api/tasks', creation, { 'X-Service-Idempotency-Key': key })
    expect([write.status, write.body.service]).toMatchObject([
      503,
      { reason: 'idempotency_check_unavailable', detail: 'index_recovering', idempotencyKey: key },
    ])
    expect((await get('/api/health')).status).toBe(200)
    await api.sql`update indexed_head set ready = true, recovers_to = null`
    await api.deps.indexedHead.refresh()
    expect((await get('/api/tasks')).status).toBe(200)
  })

  it('given rows of a newer release, which this one cannot read, then 503, and reads are refused with the versions', async () => {
    await api.sql`update indexed_head set oldest_version = 99`
    await api.deps.indexedHead.refresh()
    const { status, body } = await get('/ready')
    expect([status, body.status, body.writes]).toEqual([503, 'unready', false])
    expect(body.checks.indexer.reason).toMatch(/newer release \(data version 99\)/)
    const list = await get('/api/tasks')
    expect([list.status, list.body.error]).toEqual([503, expect.stringMatching(/newer release \(data version 99\)/)])
    await api.sql`update indexed_head set oldest_version = 1`
    await api.deps.indexedHead.refresh()
    expect((await get('/api/tasks')).status).toBe(200)
  })

  it('given a database that takes no writes, then 200 and degraded for readers, and no writes', async () => {
    const url = new URL(api.deps.config.DATABASE_URL)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const { app, stop } = appOn(api, url.href)
    const answer = await app.request('/ready')
    expect([answer.status, (await app.request('/ready?for=writes')).status]).toEqual([200, 503])
    expect(await answer.json()).toMatchObject({
      status: 'degraded',
      writes: false,
      checks: { database: { status: 'ok' }, databaseWrites: { status: 'failed' } },
    })
    await stop()
  })

  it('given a read model without a block, then 503', async () => {
    await api.sql`delete from indexed_head`
    expect((await get('/ready')).body).toMatchObject({
      status: 'unready',
      checks: { indexer: { status: 'failed' } },
    })
  })

  it('given a node and a database that hang, then 503 in time, to a hundred askers by one question', async () => {
    const silent = await startSilentServer()
    const { app, stop } = appOn(api, `postgres://unknown@127.0.0.1:${silent.port}/nothing`)
    let questions = 0
    api.chain.latestHead = () => {
      questions += 1
      return new Promise(() => {})
    }
    const answers = await Promise.all(Array.from({ length: 100 }, () => app.request('/ready')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    // One for the chain itself, one for the distance of the indexer, which any head serves.
    expect(questions).toBe(2)
    expect(await answers[0]?.json()).toMatchObject({
      checks: { database: { reason: expect.stringContaining('in time') } },
    })
    await stop()
    await silent.stop()
  })

  it('given the process is about to end, then 503 at once, and answers close their connections', async () => {
    service.observe.readiness.drain()
    const { status, body } = await get('/ready')
    expect([status, body]).toEqual([503, { status: 'draining', writes: false, checks: {} }])
    const alive = await get('/api/health')
    expect([alive.status, alive.headers.get('connection')]).toEqual([200, 'close'])
  })
})

describe('GET /api/health', () => {
  it('given no database, then 200 without intents', async () => {
    const { app, stop } = appOn(api, 'postgres://unknown@127.0.0.1:1/nothing')
    const response = await app.request('/api/health')
    expect(response.status).toBe(200)
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toMatchObject({ status: 'ok', limits: { freeSubmissionAllowance: 5 } })
    expect(body).not.toHaveProperty('intents')
    await stop()
  })

  it('given a database that hangs, then 200 without intents, and at once while that is known', async () => {
    const silent = await startSilentServer()
    const { app, stop } = appOn(api, `postgres://unknown@127.0.0.1:${silent.port}/nothing`)
    expect((await app.request('/api/health')).status).toBe(200)
    const asked = silent.connections()
    for (let turn = 0; turn < 20; turn += 1) await app.request('/api/health')
    expect(silent.connections()).toBe(asked)
    await stop()
    await silent.stop()
  })

  it('given many askers, then one count a second, with the time it was made', async () => {
    await api.seed.pendingIntent(11)
    const first = (await get('/api/health')).body.intents
    expect(first).toEqual({ measuredAt: expect.any(String), staleNonTerminal: 1 })
    await api.seed.pendingIntent(11)
    expect((await get('/api/health')).body.intents).toEqual(first)
  })
})
