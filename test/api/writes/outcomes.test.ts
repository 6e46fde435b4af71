import { decodePaymentResponseHeader } from '@x402/core/http'
import { zeroAddress } from 'viem'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../api/server/app.ts'
import { mountWrite } from '../../../api/server/router.ts'
import { createIntentOutcomes } from '../../../api/writes/intent-outcomes.ts'
import { anActor } from '../../support/actors.ts'
import { bindIntent } from '../../support/bound-intent.ts'
import { captureLog } from '../../support/captured-log.ts'
import { agreeToEverything, aPaidCreate, type PaidCreate } from './fake-payments.ts'
import { anOpenWrite } from './open-write.ts'
import { aStartedApi } from './started-api.ts'

// No relay runs here: a test is the relay, by what it writes into the intent's row.
const log = captureLog()
const api = aStartedApi({ WRITE_ANSWER_MS: '700', LOG_LEVEL: 'info' }, undefined, log)
beforeAll(async () => {
  await api.deps.writes.start()
  agreeToEverything(api)
})

/** Sends the paid round, stores these columns with the recorded intent, as the relay does, and returns the answer. */
async function answerAfter(create: PaidCreate, columns: Record<string, unknown>, result: object | null = null) {
  const answer = create.roundTwo()
  const decide = () => api.sql`
    update intents set ${api.sql(columns)}, result = ${result as never}
    where idempotency_key = ${create.key} and status = 'recorded' returning id`
  await expect.poll(async () => (await decide()).length, { interval: 10 }).toBe(1)
  return await answer
}

describe('what a paid request is answered with once it is recorded', () => {
  it('given nothing happens in time, then 409 intent_in_flight, and never 402 again', async () => {
    const create = aPaidCreate(api)
    const first = await create.roundTwo()
    expect(first).toMatchObject({
      status: 409,
      body: { service: { reason: 'intent_in_flight', intentStatus: 'recorded', idempotencyKey: create.key } },
    })
    for (const again of [create.roundOne, create.roundTwo])
      expect(await again()).toMatchObject({
        status: 409,
        body: { service: { reason: 'idempotency_key_reused', intentStatus: 'recorded' } },
      })
  })

  const hash = `0x${'7'.repeat(64)}`
  const rejected = { reason: 'payment_preflight_rejected', intentStatus: 'failed' }
  it.each<[string, Record<string, unknown>, number, object, string]>([
    [
      'it is mined and its result cannot be stored',
      { status: 'broadcast', txHash: hash, blockNumber: 7n, blockHash: hash },
      500,
      { reason: 'intent_completion_deferred', intentStatus: 'broadcast', txHash: hash },
      '',
    ],
    ['its call failed', { status: 'failed', terminalReason: 'EntriesPaused()' }, 409, rejected, 'EntriesPaused()'],
    ['its call failed for no known reason', { status: 'failed' }, 409, rejected, 'no reason is known'],
    [
      'its payment was used otherwise',
      { status: 'held' },
      409,
      { reason: 'intent_in_flight', intentStatus: 'held', detail: 'write_held' },
      '',
    ],
  ])('given %s, then the answer says so', async (_, columns, status, service, said) => {
    const answer = await answerAfter(aPaidCreate(api), columns)
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(said), service } })
  })

  it('given it is decided in the moment the waiting ends, then the decision', async () => {
    const decide = (intentId: string) => api.sql`
      update intents set status = 'failed', terminal_reason = 'EntriesPaused()' where id = ${intentId}`
    const waiting = vi.spyOn(api.deps.writes.outcomes, 'wait').mockImplementationOnce(async (intentId) => {
      await decide(intentId)
      return null
    })
    expect(await aPaidCreate(api).roundTwo()).toMatchObject({
      status: 409,
      body: { service: { reason: 'payment_preflight_rejected', intentStatus: 'failed' } },
    })
    waiting.mockRestore()
  })

  it('given the database cannot be asked while it waits, then what the row says, and a line for the operator', async () => {
    const waiting = vi.spyOn(api.deps.writes.outcomes, 'wait').mockRejectedValueOnce(new Error('no database'))
    expect(await aPaidCreate(api).roundTwo()).toMatchObject({ body: { service: { intentStatus: 'recorded' } } })
    waiting.mockRestore()
    expect(log.lines('intent outcome read failed')).toMatchObject([{ intentId: expect.any(String) }])
  })

  it('given its payment is rejected, then the line of the request has the reason', async () => {
    const verifying = vi.spyOn(api.chain, 'verifyTypedData').mockResolvedValue(false)
    log.clear()
    expect((await aPaidCreate(api).roundTwo()).status).toBe(402)
    verifying.mockRestore()
    expect(log.lines().map(({ reason }) => reason)).toContain('payment_rejected')
  })

  it.each(['completed', 'failed', 'held'])(
    'given it is %s already, then that is told before the waiting ends',
    async (status) => {
      const { id } = await bindIntent(api)
      await api.sql`update intents set status = ${status} where id = ${id}`
      const inTime = await api.deps.writes.outcomes.wait(id, AbortSignal.timeout(5_000))
      expect(inTime).toMatchObject({ id, status })
    },
  )

  it('given it is decided while a request waits, then a notification tells it, and no look of its own', async () => {
    const { id } = await bindIntent(api)
    const outcomes = createIntentOutcomes(api.sql, 3_600_000)
    await outcomes.start()
    const deadline = AbortSignal.timeout(5_000)
    const waited = outcomes.wait(id, deadline)
    // Meanwhile it looks for the first time.
    await bindIntent(api)
    await api.sql`update intents set status = 'held' where id = ${id}`
    expect(await waited).toMatchObject({ id, status: 'held' })
    expect(deadline.aborted).toBe(false)
    await outcomes.stop()
  })

  it('given its key belongs to another operation, then 409 idempotency_key_conflict', async () => {
    const { idempotencyKey } = await bindIntent(api)
    const { body } = aPaidCreate(api)
    expect(await api.post('/api/tasks', body, { 'X-Service-Idempotency-Key': idempotencyKey })).toMatchObject({
      status: 409,
      body: {
        error: expect.stringContaining('another operation (tasks.refundExpired)'),
        service: {
          reason: 'idempotency_key_conflict',
          detail: 'key_of_other_request',
          operation: 'tasks.refundExpired',
        },
      },
    })
  })

  it('given it completed and the indexer is behind, then the result all the same, at the deadline', async () => {
    await api.sql`delete from market.indexed_head`
    const payer = anActor()
    const completed = { status: 'completed', txHash: hash, blockNumber: 8n, blockHash: hash }
    const answer = await answerAfter(aPaidCreate(api, {}, payer), completed, { success: true })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(log.lines('answer sent before indexing')).toMatchObject([{ blockNumber: '8' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '')).toMatchObject({
      success: true,
      transaction: hash,
      payer: payer.account.address,
      amount: '1000000',
    })
  })
})

describe('a write that is done and whose answer cannot be made', () => {
  it('given what is read for it cannot be read, then 500 intent_completion_deferred, and it stays completed', async () => {
    const app = createApp(api.deps)
    const respond = vi.fn(() => Promise.reject(new Error('no such rows')))
    mountWrite(app, api.deps, anOpenWrite('/tell', { respond }))
    const key = crypto.randomUUID()
    const hash = `0x${'9'.repeat(64)}`
    const answer = app.request('/api/tell', { method: 'POST', headers: { 'X-Service-Idempotency-Key': key } })
    const complete = () => api.sql`
      update intents set status = 'completed', tx_hash = ${hash}, block_number = 0, block_hash = ${hash}, task_id = ${hash},
        result = '{}'
      where idempotency_key = ${key} and status = 'recorded' returning id`
    await expect.poll(async () => (await complete()).length, { interval: 10 }).toBe(1)
    const response = await answer
    expect(response.status).toBe(500)
    expect(respond).toHaveBeenCalledWith(expect.anything(), { body: {}, taskId: hash }, expect.anything(), zeroAddress)
    expect(await response.json()).toMatchObject({
      service: { reason: 'intent_completion_deferred', intentStatus: 'completed', txHash: hash, idempotencyKey: key },
    })
  })
})

describe('a free write that fails on chain', () => {
  /** What is left of the day's free relays, once the relay has failed a write of this class. */
  async function leftAfter(relayClass: 'plain' | 'foreign'): Promise<number> {
    const app = createApp(api.deps)
    mountWrite(app, api.deps, anOpenWrite('/free'))
    const key = crypto.randomUUID()
    const answer = app.request('/api/free', { method: 'POST', headers: { 'X-Service-Idempotency-Key': key } })
    const fail = () => api.sql`
      update intents set status = 'failed', terminal_reason = 'HookVetoed()', relay_class = ${relayClass},
        block_number = 7, block_hash = ${key}
      where idempotency_key = ${key} and status = 'recorded' returning id`
    await expect.poll(async () => (await fail()).length, { interval: 10 }).toBe(1)
    const { status, headers } = await answer
    expect(status).toBe(409)
    expect(headers.get('ratelimit')).not.toContain('revertedWrites')
    return Number(/"freeRelays";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  }

  it('given code of another account, then it costs no free relay: its owner has paid', async () => {
    const first = await leftAfter('plain')
    expect(await leftAfter('foreign')).toBe(first)
    // A paid one has taken none that it could get back.
    await answerAfter(aPaidCreate(api), { status: 'failed', relayClass: 'foreign' })
    expect(await leftAfter('plain')).toBe(first - 1)
  })
})

describe('what stands in the tables once a request is recorded', () => {
  it('given a paid create, then payment, call and content were stored together', async () => {
    const create = aPaidCreate(api)
    await create.roundTwo()
    const [row] = await api.sql<Record<string, unknown>[]>`
      select kind, relay_mode, escrow_amount, payment_value, payment_asset, expires_at, description, initiator = requester as is_payers
      from intents join task_content on intent_id = id where idempotency_key = ${create.key}`
    expect(row).toEqual({
      kind: 'market',
      relayMode: 'paid',
      escrowAmount: 1_000_000n,
      paymentValue: 1_000_000n,
      expiresAt: null,
      isPayers: true,
      paymentAsset: api.deps.deployment.usdc,
      description: create.body.description,
    })
  })
})
