import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { startLoop } from '../../../api/concurrency/loop.ts'
import { holdIntent } from '../../../api/intents/held.queries.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { findBoundIntent } from '../../../api/intents/intents.queries.ts'
import { completeIntent, markBroadcast } from '../../../api/intents/outbox.queries.ts'
import { observeChain } from '../../../api/observability/observe-chain.ts'
import { insertAttempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { createMetricsServer } from '../../../metrics/metrics-listener.ts'
import { metricsOf } from '../../../metrics/table.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { startSilentServer } from '../../support/silent-server.ts'
import { aPaidCreate } from '../writes/fake-payments.ts'
import { appOn, fundRelayers, indexUpTo, storeRounds } from './operator-api.ts'

const HASH = `0x${'12'.repeat(32)}` as const
let api: TestApi
let chain: TestApi['chain']
beforeAll(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '150' })
  fundRelayers(api)
  chain = { ...api.chain }
})
afterAll(() => api.stop())
beforeEach(async () => {
  Object.assign(api.chain, chain)
  await api.sql`truncate service.intents cascade`
  await indexUpTo(api, 1n, START)
})

/** The values of a scrape by name and labels. */
function valuesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => /^[a-z]/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

/** What is gathered at the first scrape of a process. */
async function gather(): Promise<Record<string, number>> {
  const { observe, stop } = appOn(api, api.deps.config.DATABASE_URL)
  const text = await observe.scrape()
  await stop()
  return valuesOf(text)
}

/** The intent as it stands now. */
async function read(id: string): Promise<BoundIntent> {
  const intent = await findBoundIntent(api.sql, id)
  if (intent === null) throw new Error(`no intent ${id}`)
  return intent
}

async function aRecordedIntent(): Promise<string> {
  const create = aPaidCreate(api)
  // The chain answers a balance to everything read; only the authorization's state matters here.
  const { readContract } = api.chain
  Object.assign(api.chain, { readContract: async () => false })
  await create.roundTwo()
  Object.assign(api.chain, { readContract })
  const [row] = await api.sql<{ id: string }[]>`select id from intents where idempotency_key = ${create.key}`
  return row?.id ?? ''
}

describe('what a process counts', () => {
  it('requests by template and status, writes by operation, outcome and stage', async () => {
    const [completed, held] = [await aRecordedIntent(), await aRecordedIntent()]
    await markBroadcast(api.sql, await read(completed), HASH)
    const mined = { txHash: HASH, blockNumber: 1n, blockHash: HASH } as const
    await completeIntent(api.sql, await read(completed), { mined, index: 0, taskId: null, result: {} })
    await holdIntent(api.sql, await read(held), { finding: 'unknown', restSeconds: 1 })
    await api.get(`/api/tasks/0x${'ab'.repeat(32)}`)
    await api.get('/no/such/path')
    const values = valuesOf(await api.deps.observe.scrape())
    expect(values).toMatchObject({
      'taskmarket_http_requests_total{method="GET",route="/api/tasks/{taskId}",status="200"}': 1,
      'taskmarket_http_requests_total{method="GET",route="none",status="404"}': 1,
      'taskmarket_http_requests_total{method="POST",route="/api/tasks",status="402"}': 2,
      'taskmarket_http_requests_total{method="POST",route="/api/tasks",status="409"}': 2,
      'taskmarket_write_answers_total{operation="tasks.create",outcome="challenge"}': 2,
      'taskmarket_write_answers_total{operation="tasks.create",outcome="intent_in_flight"}': 2,
      'taskmarket_writes_total{operation="tasks.create",outcome="completed"}': 1,
      'taskmarket_writes_total{operation="tasks.create",outcome="held"}': 1,
      'taskmarket_write_stage_seconds_count{stage="preflight"}': 4,
      'taskmarket_write_stage_seconds_count{stage="verify"}': 2,
      'taskmarket_write_stage_seconds_count{stage="simulate"}': 2,
      'taskmarket_write_stage_seconds_count{stage="bind"}': 2,
      'taskmarket_write_stage_seconds_count{stage="outbox"}': 1,
      'taskmarket_write_stage_seconds_count{stage="mined"}': 1,
      'taskmarket_write_stage_seconds_count{stage="answer"}': 4,
    })
    expect(Object.keys(values).filter((name) => name.includes('abab') || name.includes('no/such'))).toEqual([])
  })

  it('questions to the node, reorgs and runs of loops', async () => {
    const { metrics } = api.deps.observe
    const observed = observeChain(api.chain, metrics)
    await observed.latestHead()
    const other = { number: 1n, hash: HASH, parentHash: HASH, timestamp: START }
    Object.assign(api.chain, { latestHead: async () => other })
    await observed.latestHead()
    Object.assign(api.chain, { getTransactionReceipt: () => Promise.reject(new ChainUnavailable('no')) })
    await expect(observed.getTransactionReceipt(HASH)).rejects.toThrow('no')
    let runs = 0
    await new Promise<void>((resolve) => {
      const loop = startLoop({
        name: 'test',
        log: api.deps.log,
        metrics,
        run: async () => {
          runs += 1
          if (runs === 2) resolve(loop.stop())
          return 0
        },
      })
    })
    expect(valuesOf(await api.deps.observe.scrape())).toMatchObject({
      'taskmarket_chain_request_seconds_count{method="latestHead",outcome="ok"}': 2,
      'taskmarket_chain_request_seconds_count{method="getTransactionReceipt",outcome="failed"}': 1,
      taskmarket_reorgs_seen_total: 1,
      'taskmarket_loop_runs_total{loop="test",outcome="ok"}': 2,
    })
  })
})

describe('what is gathered at a scrape', () => {
  it('the outbox, what is on its way, held, refunds, nonce sequences, balances and the indexer', async () => {
    const { address } = api.deps.relayer.accounts[0]
    await api.sql`insert into relayers values (${address}, 7)`
    const ids: string[] = []
    while (ids.length < 6) ids.push(await aRecordedIntent())
    const [waiting = '', stuck = '', held = '', refund = '', failedRefund = '', settling = ''] = ids
    await api.sql`update intents set status_at = now() - interval '90 seconds' where id = ${waiting}`
    await markBroadcast(api.sql, await read(stuck), HASH)
    await api.sql`update intents set status_at = now() - interval '21 seconds' where id = ${stuck}`
    await holdIntent(api.sql, await read(held), { finding: 'unknown', restSeconds: 1 })
    await holdIntent(api.sql, await read(settling), { finding: 'paid elsewhere', restSeconds: 1, untilBlock: 9n })
    await api.sql`update intents set status = 'failed', refund_status = 'pending' where id = ${refund}`
    await api.sql`
      update intents set status = 'failed', refund_status = 'failed', payment_value = 2500000 where id = ${failedRefund}`
    await indexUpTo(api, -3n, START - 8n)
    await api.sql`insert into stored_files (id, swept_at) select gen_random_uuid(), now() from generate_series(1, 2)`
    await api.sql`insert into stored_files (id, swept_at, emptied_at) values (gen_random_uuid(), now(), now())`
    const values = await gather()
    expect(values).toMatchObject({
      'taskmarket_intents{status="recorded"}': 1,
      'taskmarket_intents{status="broadcast"}': 1,
      'taskmarket_intents{status="held"}': 1,
      'taskmarket_intents{status="settling"}': 1,
      'taskmarket_refunds{status="pending"}': 1,
      'taskmarket_refunds{status="refunding"}': 0,
      'taskmarket_refunds{status="failed"}': 1,
      taskmarket_failed_refunds_base_units: 2_500_000,
      'taskmarket_files_to_remove{area="artifacts"}': 2,
      'taskmarket_files_to_remove{area="uploads"}': 0,
      taskmarket_stuck_transactions: 1,
      taskmarket_chain_block: 1,
      taskmarket_indexer_lag_blocks: 4,
      taskmarket_indexer_lag_seconds: 8,
      [`taskmarket_relayer_nonce{relayer="${address}",source="database"}`]: 7,
      [`taskmarket_relayer_nonce{relayer="${address}",source="chain"}`]: 5,
      [`taskmarket_relayer_balance_wei{relayer="${address}"}`]: 1e18,
      'taskmarket_up{part="database"}': 1,
      'taskmarket_up{part="database_writes"}': 1,
      'taskmarket_up{part="chain"}': 1,
      'taskmarket_up{part="indexer"}': 1,
      'taskmarket_up{part="relayers"}': 1,
      'taskmarket_up{part="storage"}': 1,
    })
    const oldest = values['taskmarket_oldest_intent_seconds{status="recorded"}']
    expect(oldest).toBeGreaterThanOrEqual(90)
    expect(oldest).toBeLessThan(300)
    expect(values['taskmarket_database_connections{state="active"}']).toBeGreaterThanOrEqual(1)
    expect(values.taskmarket_database_wait_seconds).toBeLessThan(60)
    expect(values.taskmarket_database_size_bytes).toBeGreaterThan(1_000_000)
    expect(values.taskmarket_database_wal_bytes_total).toBeGreaterThan(0)
    expect(values).toMatchObject({ taskmarket_database_retained_wal_bytes: 0, taskmarket_database_standbys: 0 })
    const free = values['taskmarket_disk_free_bytes{area="files"}'] ?? 0
    expect(free).toBeGreaterThan(0)
    expect(values['taskmarket_disk_size_bytes{area="files"}']).toBeGreaterThan(free)
    // It has no attempt, so nothing to divide its ether by.
    expect(Object.keys(values).filter((name) => name.startsWith('taskmarket_relayer_runway'))).toEqual([])
  })

  it('the days that a relayer’s ether lasts, where it has signed something', async () => {
    const { address } = api.deps.relayer.accounts[0]
    await api.sql`insert into relayers values (${address}, 7) on conflict do nothing`
    const call = { intentId: null, raw: HASH, purpose: 'cancellation', hash: HASH, nonce: 6n } as const
    const fees = { gasLimit: 10n ** 6n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
    await insertAttempt(api.sql, { ...call, ...fees, relayer: address })
    const values = await gather()
    expect(values[`taskmarket_relayer_runway_days{relayer="${address}"}`]).toBe(10)
  })

  it('names every metric of the table, and no other of this prefix', async () => {
    const text = await api.deps.observe.scrape()
    const names = [...text.matchAll(/^# HELP (taskmarket_\w+) /gm)].map(([, name]) => name)
    const listed = Object.keys(metricsOf.api).filter((name) => name.startsWith('taskmarket_'))
    expect(names.sort()).toEqual(listed.sort())
  })

  it('given what the books found, then the largest difference of each sum, counts of accounts and tasks, and ages', async () => {
    const task = (of: string) => ({ sum: 'tasks' as const, of, amount: '3', fields: [] })
    const vault = (of: string, amount: string) => ({ sum: 'vault_totals' as const, of, amount })
    await storeRounds(
      api,
      { sums: [vault('0x1', '-70'), vault('0x2', '5')], tasks: [task('0xa'), task('0xb')] },
      { vault_balance: 4 },
    )
    const values = await gather()
    expect(values).toMatchObject({
      'taskmarket_books_difference{sum="vault_totals"}': 70,
      'taskmarket_books_difference{sum="tasks"}': 2,
      'taskmarket_books_difference{sum="market_total_escrow"}': 0,
      'taskmarket_books_unread{sum="vault_balance"}': 4,
      'taskmarket_books_unread{sum="tasks"}': 0,
      taskmarket_books_rotation_seconds: 12,
    })
    expect(Object.keys(values).filter((name) => name.startsWith('taskmarket_books_difference'))).toHaveLength(13)
    for (const part of ['sums', 'tasks']) {
      expect(values[`taskmarket_books_age_seconds{part="${part}"}`]).toBeLessThan(60)
    }
  })

  it('given a database that hangs and a dead node, then counters, up 0, and no number of before', async () => {
    const silent = await startSilentServer()
    const cut = appOn(api, `postgres://unknown@127.0.0.1:${silent.port}/nothing`)
    api.chain.latestHead = () => Promise.reject(new ChainUnavailable('no'))
    const response = await cut.app.request('/metrics')
    expect(response.status).toBe(200)
    const values = valuesOf(await response.text())
    expect(values).toMatchObject({ 'taskmarket_up{part="database"}': 0, 'taskmarket_up{part="chain"}': 0 })
    const gathered = /^taskmarket_(intents\{|oldest|stuck|refunds|chain_block|indexer|relayer|database|books)/
    expect(Object.keys(values).filter((name) => gathered.test(name))).toEqual([])
    await cut.stop()
    await silent.stop()
  })
})

describe('who may read /metrics', () => {
  it('a client of this machine, unless a proxy stands between', async () => {
    const server = serve({ fetch: api.app.fetch, port: 0, hostname: '127.0.0.1', createServer })
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`
    const direct = await fetch(url)
    expect([direct.status, direct.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    expect(await direct.text()).toContain('# TYPE taskmarket_http_requests_total counter')
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via', 'X-Forwarded-Host']) {
      const refused = await fetch(url, { headers: { [name]: '127.0.0.1' } })
      expect([refused.status, refused.headers.get('allow')], name).toEqual([404, null])
      expect(await refused.json(), name).toMatchObject({ error: expect.stringContaining('/openapi.json') })
    }
    const closed = once(server, 'close')
    server.close()
    await closed
  })

  it('no client on the public port when proxies are trusted or there is a port of its own', async () => {
    for (const settings of [{ TRUSTED_PROXIES: ['127.0.0.1'] }, { METRICS_PORT: 0 }]) {
      const { app, stop } = appOn(api, api.deps.config.DATABASE_URL, settings)
      expect((await app.request('/metrics')).status).toBe(404)
      await stop()
    }
  })

  it('any client that reaches the port of its own, which has nothing else', async () => {
    const server = createMetricsServer(api.deps.observe.scrape)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('taskmarket_up{part="database"} 1')
    expect((await fetch(`${url}/api/health`)).status).toBe(404)
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404)
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
})
