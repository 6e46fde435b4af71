import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import { reopenIntent } from '../../../api/intents/finality.queries.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { findBoundIntent } from '../../../api/intents/intents.queries.ts'
import { completeIntent, failIntent, markBroadcast } from '../../../api/intents/outbox.queries.ts'
import { markRefunding } from '../../../api/intents/refunds.queries.ts'
import { createIntentSteps } from '../../../api/observability/intent-steps.ts'
import { createLogger } from '../../../api/observability/logger.ts'
import { createMetrics } from '../../../api/observability/metrics.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { captureLog } from '../../support/captured-log.ts'
import { agreeToEverything, aPaidCreate } from '../writes/fake-payments.ts'

const HASH = `0x${'12'.repeat(32)}` as const
const BLOCK = `0x${'34'.repeat(32)}` as const

const log = captureLog()
let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ LOG_LEVEL: 'info', WRITE_ANSWER_MS: '150' }, log)
  agreeToEverything(api)
})
afterAll(() => api.stop())
beforeEach(() => log.clear())

/** A recorded create; the log is empty again. */
async function aRecordedIntent(): Promise<string> {
  const create = aPaidCreate(api)
  await create.roundTwo()
  const [row] = await api.sql<{ id: string }[]>`select id from intents where idempotency_key = ${create.key}`
  log.clear()
  return row?.id ?? ''
}

/** The intent as it stands now. */
async function read(id: string): Promise<BoundIntent> {
  const intent = await findBoundIntent(api.sql, id)
  if (intent === null) throw new Error(`no intent ${id}`)
  return intent
}

const steps = () => log.lines('intent').map(({ from, to }) => [from ?? null, to])

describe('the line of a request', () => {
  it('names template, status, client and time, and not the path', async () => {
    await api.get(`/api/tasks/0x${'ab'.repeat(32)}?limit=3`, { 'X-Request-Id': 'abc-1' })
    await api.get('/api/tasks/nothing-of-the-kind')
    await api.get('/nowhere/at/all')
    const common = { method: 'GET', milliseconds: expect.any(Number), client: 'none' }
    expect(log.lines('request')).toEqual([
      expect.objectContaining({ ...common, requestId: 'abc-1', route: '/api/tasks/{taskId}', status: 200 }),
      expect.objectContaining({ ...common, route: '/api/tasks/{taskId}', status: 400, reason: 'unclassified' }),
      expect.objectContaining({ ...common, route: 'none', status: 404, reason: 'unclassified' }),
    ])
    expect(log.text()).not.toMatch(/limit=3|nothing-of-the-kind|nowhere|(ab){8}/)
  })

  it('names operation and intent of a write, in both rounds', async () => {
    const create = aPaidCreate(api)
    await create.roundTwo()
    const [row] = await api.sql<{ id: string }[]>`select id from intents where idempotency_key = ${create.key}`
    const common = { route: '/api/tasks', operation: 'tasks.create', intentId: row?.id }
    expect(log.lines('request')).toEqual([
      expect.objectContaining({ ...common, status: 402 }),
      expect.objectContaining({ ...common, status: 409, reason: 'intent_in_flight' }),
    ])
  })
})

describe('the lines of an intent', () => {
  it('tell reserve and bind, with the request that caused each', async () => {
    await aPaidCreate(api).roundTwo()
    const [one, two] = log.lines('request')
    expect(log.lines('intent')).toEqual([
      expect.objectContaining({ to: 'reserved', operation: 'tasks.create', requestId: one.requestId }),
      expect.objectContaining({
        from: 'reserved',
        to: 'recorded',
        kind: 'market',
        relayMode: 'paid',
        requestId: two.requestId,
        intentId: two.intentId,
        milliseconds: expect.any(Number),
      }),
    ])
    expect(one.requestId).not.toBe(two.requestId)
  })

  it('tell each step of the relay once, with hash, nonce and the time in the step before', async () => {
    const id = await aRecordedIntent()
    const { address } = api.deps.relayer.accounts[0]
    await api.sql`insert into relayers values (${address}, 7) on conflict do nothing`
    await api.sql.begin(async (tx) => {
      await tx`insert into attempts (intent_id, relayer, nonce, hash, raw, purpose, gas_limit, max_fee_per_gas,
        max_priority_fee_per_gas) values (${id}, ${address}, 6, ${HASH}, '0x', 'call', 1, 1, 1)`
      await tx`select pg_sleep(0.03)`
      await markBroadcast(tx, await read(id), HASH)
    })
    expect(log.lines('intent')).toEqual([
      expect.objectContaining({ intentId: id, from: 'recorded', to: 'broadcast', txHash: HASH, nonce: 6 }),
    ])
    expect(log.lines('intent')[0].milliseconds).toBeGreaterThanOrEqual(30)

    const mined = { txHash: HASH, blockNumber: 9n, blockHash: BLOCK } as const
    await markBroadcast(api.sql, await read(id), HASH)
    await completeIntent(api.sql, await read(id), { mined, index: 0, taskId: null, result: {} })
    await reopenIntent(api.sql, await read(id))
    await failIntent(api.sql, await read(id), { reason: 'it reverted', mined: null, refund: true })
    await markRefunding(api.sql, await read(id), HASH)
    expect(steps()).toEqual([
      ['recorded', 'broadcast'],
      ['broadcast', 'completed'],
      ['completed', 'broadcast'],
      ['broadcast', 'failed'],
    ])
    expect(log.lines('intent').at(-1)).toMatchObject({ reason: 'it reverted', refundTo: 'pending' })
    expect(log.lines('refund')).toEqual([
      expect.objectContaining({ intentId: id, refundFrom: 'pending', refundTo: 'refunding', refundTxHash: HASH }),
    ])
  })

  it('are written by the process that made the step and by no other', async () => {
    const other = captureLog()
    const { config } = api.deps
    const { DATABASE_URL: url } = config
    const onNotice = createIntentSteps({ log: createLogger({ config, destination: other }), metrics: createMetrics() })
    const sql = connectDatabase({ url, max: 1, onNotice })
    const [ours, theirs] = [await aRecordedIntent(), await aRecordedIntent()]
    await Promise.all([markBroadcast(api.sql, await read(ours), HASH), markBroadcast(sql, await read(theirs), HASH)])
    await sql.end()
    expect(log.lines('intent').map(({ intentId }) => intentId)).toEqual([ours])
    expect(other.lines('intent').map(({ intentId }) => intentId)).toEqual([theirs])
  })

  it('tell nothing of a step that is rolled back', async () => {
    const id = await aRecordedIntent()
    const undone = api.sql.begin(async (tx) => {
      await markBroadcast(tx, await read(id), HASH)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(log.lines('intent')).toEqual([])
    await markBroadcast(api.sql, await read(id), HASH)
    expect(steps()).toEqual([['recorded', 'broadcast']])
  })

  it('begin anew with a key whose reservation had expired', async () => {
    const create = aPaidCreate(api)
    await create.roundOne()
    await api.sql`update intents set expires_at = now() - interval '1 second' where idempotency_key = ${create.key}`
    await create.roundOne()
    expect(steps()).toEqual([
      [null, 'reserved'],
      [null, 'reserved'],
    ])
    const [first, second] = log.lines('intent')
    expect(first.intentId).not.toBe(second.intentId)
  })
})
