import { zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import { reserveIntent } from '../../../api/intents/intents.queries.ts'
import { createApp } from '../../../api/server/app.ts'
import { deleteExpiredReservationsRun } from '../../../api/writes/delete-expired-reservations.ts'
import { reserveKey } from '../../../api/writes/stages/reserve-key.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'

const started: TestApi[] = []
let api: TestApi
beforeEach(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '150' })
  started.push(api)
  agreeToEverything(api)
})
afterAll(async () => {
  for (const each of started) await each.stop()
})

const aSubmission = {
  taskId: zeroHash,
  workerAddress: zeroAddress,
  artifacts: [{ fileName: 'a.txt', mimeType: 'text/plain', file: 'YQ==' }],
  signature: `0x${'11'.repeat(65)}`,
}
const unavailable = () => Promise.reject(new ChainUnavailable('no answer'))

/** Whether anything about a key outlives the request that was refused. */
async function statusOf(key: string): Promise<string | undefined> {
  const [row] = await api.sql<{ status: string }[]>`select status from intents where idempotency_key = ${key}`
  return row?.status
}

describe('a service in trouble', () => {
  // The bytes of a submission's files are counted before its key is looked up.
  it.each([
    ['a creation', '/api/tasks', () => aPaidCreate(api).body],
    ['a submission with a file', `/api/tasks/${zeroHash}/submissions`, () => aSubmission],
  ])('given no database and %s, then 503 idempotency_check_unavailable in both rounds', async (_, path, bodyOf) => {
    const sql = connectDatabase({ url: 'postgres://unknown@127.0.0.1:1/nothing', max: 1 })
    const headers = { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': crypto.randomUUID() }
    const body = JSON.stringify(bodyOf())
    const app = createApp(onDatabase(api.deps, sql))
    for (const paid of [{}, { 'PAYMENT-SIGNATURE': 'eA==' }]) {
      const response = await app.request(path, { method: 'POST', headers: { ...headers, ...paid }, body })
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({
        service: { reason: 'idempotency_check_unavailable', detail: 'database_unavailable' },
      })
    }
    await sql.end()
  })

  it('given no chain in round one, then 503 idempotency_check_unavailable and no reservation', async () => {
    api.chain.latestHead = unavailable
    const create = aPaidCreate(api)
    expect(await create.roundOne()).toMatchObject({
      status: 503,
      body: { service: { reason: 'idempotency_check_unavailable', detail: 'node_unavailable' } },
    })
    expect(await statusOf(create.key)).toBeUndefined()
  })

  it.each(['verifyTypedData', 'usdcBalance', 'simulate'] as const)(
    'given no answer to %s in round two, then 503 with Retry-After, and the same payment passes afterwards',
    async (question) => {
      const create = aPaidCreate(api)
      api.chain[question] = unavailable
      const answer = await create.roundTwo()
      expect(answer).toMatchObject({
        status: 503,
        body: {
          error: expect.stringContaining('nothing was charged'),
          service: { reason: 'idempotency_check_unavailable', idempotencyKey: create.key },
        },
      })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await statusOf(create.key)).toBe('reserved')
      agreeToEverything(api)
      expect(await create.roundTwo()).toMatchObject({ status: 409, body: { service: { reason: 'intent_in_flight' } } })
      expect(await statusOf(create.key)).toBe('recorded')
    },
  )

  it('given a refusal while the nodes do not agree on the head, then 503, and the same payment passes when they do', async () => {
    const create = aPaidCreate(api)
    const revert = { errorName: 'TaskNotFound', message: 'no such task', data: null }
    api.chain.simulate = async () => ({ outcome: 'reverted', revert })
    api.chain.isUndisputed = async () => false
    expect(await create.roundTwo()).toMatchObject({
      status: 503,
      body: { service: { reason: 'idempotency_check_unavailable', detail: 'node_unavailable' } },
    })
    agreeToEverything(api)
    expect(await create.roundTwo()).toMatchObject({ status: 409, body: { service: { reason: 'intent_in_flight' } } })
  })

  it('given an unexpected failure in round two, then 500 payment_rejected, and the same payment passes', async () => {
    const create = aPaidCreate(api)
    api.chain.simulate = () => Promise.reject(new Error('for the test'))
    expect(await create.roundTwo()).toMatchObject({ status: 500, body: { service: { reason: 'payment_rejected' } } })
    expect(await statusOf(create.key)).toBe('reserved')
    agreeToEverything(api)
    expect(await create.roundTwo()).toMatchObject({ status: 409, body: { service: { reason: 'intent_in_flight' } } })
    expect(await statusOf(create.key)).toBe('recorded')
  })
})

describe('relayers without a balance for gas', () => {
  const TOO_LITTLE = 10n ** 15n

  it('given no relayer can pay for gas, then 503 before any payment, in both rounds, and no reservation', async () => {
    api.chain.getBalance = async () => TOO_LITTLE
    const create = aPaidCreate(api)
    const headers = { 'X-Service-Idempotency-Key': create.key }
    const rounds: Record<string, string>[] = [{}, { 'PAYMENT-SIGNATURE': 'eA==' }]
    for (const paid of rounds) {
      const answer = await api.post('/api/tasks', create.body, { ...headers, ...paid })
      expect(answer).toMatchObject({
        status: 503,
        body: { error: expect.stringContaining('nothing was charged'), service: refusalOf(create.key) },
      })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await statusOf(create.key)).toBeUndefined()
    expect(await api.deps.relayer.balances.read(api.chain)).toMatchObject([{ balanceWei: TOO_LITTLE, isFunded: false }])
  })

  it('given a top-up, then the same request goes on at once', async () => {
    api.chain.getBalance = async () => TOO_LITTLE
    const create = aPaidCreate(api)
    expect(await create.roundOne()).toMatchObject({ status: 503 })
    api.chain.getBalance = async () => 10n ** 18n
    expect(await create.roundOne()).toMatchObject({ status: 402 })
    expect(await api.deps.relayer.balances.read(api.chain)).toMatchObject([{ isFunded: true }])
  })

  it('given fees rise, then what was enough is not', async () => {
    api.chain.estimateFeesPerGas = async () => ({ maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n })
    expect(await aPaidCreate(api).roundOne()).toMatchObject({ status: 503 })
  })

  it('given bad input, then that is what it hears: it can be helped', async () => {
    api.chain.getBalance = async () => 0n
    const { body, key } = aPaidCreate(api)
    const headers = { 'X-Service-Idempotency-Key': key }
    expect(await api.post('/api/tasks', { ...body, reward: '0' }, headers)).toMatchObject({ status: 400 })
  })

  const refusalOf = (idempotencyKey: string) => ({ reason: 'idempotency_check_unavailable', idempotencyKey })
})

describe('a call the service does not relay', () => {
  it('given it would revert, then 409 with what the contract said, and the key stays usable', async () => {
    const create = aPaidCreate(api)
    const revert = { errorName: 'EntriesPaused', message: 'EntriesPaused()', data: null }
    api.chain.simulate = async () => ({ outcome: 'reverted', revert })
    expect(await create.roundTwo()).toMatchObject({
      status: 409,
      body: {
        error: expect.stringContaining('EntriesPaused()'),
        service: { reason: 'payment_preflight_rejected', intentStatus: 'reserved' },
      },
    })
    expect(await statusOf(create.key)).toBe('reserved')
  })

  it('given it needs more gas than is relayed for its operation, then 409 with the advice to send it directly', async () => {
    agreeToEverything(api, 600_001n)
    expect(await aPaidCreate(api).roundTwo()).toMatchObject({
      status: 409,
      body: {
        error: expect.stringContaining(`Send it directly to ${api.deps.deployment.market}`),
        service: { reason: 'payment_preflight_rejected', detail: 'gas_ceiling' },
      },
    })
  })

  it('given it needs exactly as much, then it is relayed', async () => {
    agreeToEverything(api, 600_000n)
    expect(await aPaidCreate(api).roundTwo()).toMatchObject({ body: { service: { reason: 'intent_in_flight' } } })
  })
})

describe('a reservation', () => {
  it('given its time is over, then the key is free again, for other arguments too', async () => {
    const create = aPaidCreate(api)
    const first = await create.roundOne()
    expect(first.status).toBe(402)
    await api.sql`update intents set expires_at = now() - interval '1 second' where idempotency_key = ${create.key}`
    const headers = { 'X-Service-Idempotency-Key': create.key }
    expect(await api.get(`/api/intents?idempotencyKey=${create.key}`)).toMatchObject({ status: 404 })
    expect(await api.post('/api/tasks', { ...create.body, reward: '2000000' }, headers)).toMatchObject({ status: 402 })
    expect(await create.roundOne()).toMatchObject({
      status: 409,
      body: { service: { reason: 'idempotency_key_payload_mismatch' } },
    })
  })

  it('given the sweep, then those whose time is over go and the others stay', async () => {
    const [over, live] = [aPaidCreate(api), aPaidCreate(api)]
    await over.roundOne()
    await live.roundOne()
    await api.sql`update intents set expires_at = now() - interval '1 second' where idempotency_key = ${over.key}`
    await deleteExpiredReservationsRun(api.deps)
    expect([await statusOf(over.key), await statusOf(live.key)]).toEqual([undefined, 'reserved'])
  })

  it('given another request of this process works on its key, then 409 with what is known of it', async () => {
    const create = aPaidCreate(api)
    const held = {
      reason: 'idempotency_key_reused',
      detail: 'key_in_use',
      intentStatus: 'reserved',
      operation: 'tasks.create',
      idempotencyKey: create.key,
    }
    const roundOneWhileHeld = async () => {
      const otherRequest = { operation: 'tasks.create', fingerprint: Buffer.alloc(32) } as const
      const { release } = api.deps.writes.keysInProgress.hold(create.key, otherRequest)
      const answer = await create.roundOne()
      release?.()
      return answer
    }
    expect(await roundOneWhileHeld()).toMatchObject({ status: 409, body: { service: held } })
    expect((await create.roundOne()).status).toBe(402)
    const [reserved] = await api.sql<{ id: string }[]>`select id from intents where idempotency_key = ${create.key}`
    expect(await roundOneWhileHeld()).toMatchObject({
      status: 409,
      body: { service: { ...held, intentId: reserved?.id } },
    })
  })

  it('given the same request has its key here and has bound nothing, then 409 without the database', async () => {
    const create = aPaidCreate(api)
    await create.roundOne()
    const [reserved] = await api.sql<{ id: string; fingerprint: Buffer }[]>`
      select id, fingerprint from intents where idempotency_key = ${create.key}`
    const { fingerprint = Buffer.alloc(0) } = reserved ?? {}
    const { holder, release } = api.deps.writes.keysInProgress.hold(create.key, {
      operation: 'tasks.create',
      fingerprint,
    })
    const held = { reason: 'idempotency_key_reused', detail: 'key_in_use', intentStatus: 'reserved' }
    const noted = crypto.randomUUID()
    for (const intentId of [undefined, noted]) {
      holder.intentId = intentId ?? null
      const { status, body } = await create.roundOne()
      expect({ status, service: body.service }).toEqual({
        status: 409,
        service: expect.objectContaining({ ...held, operation: 'tasks.create', idempotencyKey: create.key }),
      })
      expect(body.service.intentId).toBe(intentId)
    }
    holder.isBinding = true
    expect(await create.roundOne()).toMatchObject({ body: { service: { ...held, intentId: reserved?.id } } })
    release?.()
  })

  it('given another process reserves its key meanwhile, then 409, or 503 where that one is gone', async () => {
    const create = aPaidCreate(api)
    const fingerprint = Buffer.alloc(32)
    const other = {
      id: crypto.randomUUID(),
      idempotencyKey: create.key,
      operation: 'tasks.cancel' as const,
      fingerprint,
    }
    // The preflight begins after the look-up of the key and ends before its reservation.
    vi.spyOn(api.deps.observe, 'stage').mockImplementationOnce(async (_, run) => {
      await reserveIntent(api.sql, other)
      return await run()
    })
    expect(await create.roundOne()).toMatchObject({
      status: 409,
      body: { service: { reason: 'idempotency_key_reused', intentId: other.id, operation: 'tasks.cancel' } },
    })
    const write = { operation: 'tasks.create' } as never
    const reserving = reserveKey(
      { ...api.deps, sql: (async () => []) as never },
      {
        c: { get: () => undefined } as never,
        key: create.key,
        write,
        fingerprint,
      },
    )
    await expect(reserving).rejects.toMatchObject({ status: 503, reason: 'idempotency_check_unavailable' })
  })
})
