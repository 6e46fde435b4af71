import { zeroAddress, zeroHash } from 'viem'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Chain, ChainUnavailable } from '../../../api/chain/chain.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import { reserveIntent } from '../../../api/intents/intents.queries.ts'
import { createApp } from '../../../api/server/app.ts'
import { deleteExpiredReservationsRun } from '../../../api/writes/delete-expired-reservations.ts'
import { reserveKey } from '../../../api/writes/stages/reserve-key.ts'
import { startTestApi } from '../../support/api.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'
import { aStartedApi } from './started-api.ts'

const api = aStartedApi({ WRITE_ANSWER_MS: '100' })
let untouched = {}
beforeAll(() => {
  untouched = { ...api.chain }
})
beforeEach(() => {
  Object.assign(api.chain, untouched)
  agreeToEverything(api)
})

const aSubmission = {
  taskId: zeroHash,
  workerAddress: zeroAddress,
  artifacts: [{ fileName: 'a.txt', mimeType: 'text/plain', file: 'YQ==' }],
  signature: `0x${'11'.repeat(65)}`,
}
const unavailable = () => Promise.reject(new ChainUnavailable('no answer'))

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
    expect(await create.status()).toBeNull()
  })

  const revert = { errorName: 'TaskNotFound', message: 'no such task', data: null }
  it.each<[string, Partial<Chain>, number]>([
    ['no answer to the signature', { verifyTypedData: unavailable }, 503],
    ['no answer to the balance', { usdcBalance: unavailable }, 503],
    ['no answer to the simulation', { simulate: unavailable }, 503],
    [
      'a refusal while the nodes do not agree on the head',
      { simulate: async () => ({ outcome: 'reverted', revert }), isUndisputed: async () => false },
      503,
    ],
    ['an unexpected failure', { simulate: () => Promise.reject(new Error('for the test')) }, 500],
  ])(
    'given %s in round two, then nothing is charged, and the same payment passes afterwards',
    async (_, failing, status) => {
      const create = aPaidCreate(api)
      Object.assign(api.chain, failing)
      const isTrouble = status === 503
      const answer = await create.roundTwo()
      expect(answer).toMatchObject({
        status,
        body: {
          error: expect.stringContaining('nothing was charged'),
          service: {
            reason: isTrouble ? 'idempotency_check_unavailable' : 'payment_rejected',
            ...(isTrouble && { detail: 'node_unavailable' }),
            idempotencyKey: create.key,
          },
        },
      })
      expect(Number(answer.headers.get('retry-after')) > 0).toBe(isTrouble)
      expect(await create.status()).toBe('reserved')
      agreeToEverything(api)
      expect(await create.roundTwo()).toMatchObject({ status: 409, body: { service: { reason: 'intent_in_flight' } } })
      expect(await create.status()).toBe('recorded')
    },
  )
})

it('given no relayer can pay for gas, then 503 before any payment, in both rounds; given a top-up, then the request goes on at once', async () => {
  const TOO_LITTLE = 10n ** 15n
  // Balances that are enough are kept for a while.
  const poor = await startTestApi()
  try {
    const { chain, deps } = poor
    chain.getBalance = async () => TOO_LITTLE
    const { key, body } = aPaidCreate(poor)
    const post = (changes: Record<string, unknown>, headers: Record<string, string>) =>
      poor.post('/api/tasks', { ...body, ...changes }, { 'X-Service-Idempotency-Key': key, ...headers })
    // Bad input is what it hears first: it can be helped.
    expect(await post({ reward: '0' }, {})).toMatchObject({ status: 400 })
    const rounds: Record<string, string>[] = [{}, { 'PAYMENT-SIGNATURE': 'eA==' }]
    for (const paid of rounds) {
      const answer = await post({}, paid)
      expect(answer).toMatchObject({
        status: 503,
        body: {
          error: expect.stringContaining('nothing was charged'),
          service: { reason: 'idempotency_check_unavailable', idempotencyKey: key },
        },
      })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await poor.sql`select from intents`).toHaveLength(0)
    expect(await deps.relayer.balances.read(chain)).toMatchObject([{ balanceWei: TOO_LITTLE, isFunded: false }])
    chain.getBalance = async () => 10n ** 18n
    expect(await post({}, {})).toMatchObject({ status: 402 })
    expect(await deps.relayer.balances.read(chain)).toMatchObject([{ isFunded: true }])
  } finally {
    await poor.stop()
  }
})

it('given a call that needs more gas than is relayed for its operation, then 409 with the advice to send it directly; given exactly as much, then the same payment passes', async () => {
  const create = aPaidCreate(api)
  agreeToEverything(api, 600_001n)
  expect(await create.roundTwo()).toMatchObject({
    status: 409,
    body: {
      error: expect.stringContaining(`Send it directly to ${api.deps.deployment.market}`),
      service: { reason: 'payment_preflight_rejected', detail: 'gas_ceiling', intentStatus: 'reserved' },
    },
  })
  expect(await create.status()).toBe('reserved')
  agreeToEverything(api, 600_000n)
  expect(await create.roundTwo()).toMatchObject({ body: { service: { reason: 'intent_in_flight' } } })
})

describe('a reservation', () => {
  it('given its time is over, then the key is free again, for other arguments too', async () => {
    const create = aPaidCreate(api)
    const first = await create.roundOne()
    expect(first.status).toBe(402)
    await api.sql`update intents set expires_at = now() - interval '1 second' where idempotency_key = ${create.key}`
    const headers = { 'X-Service-Idempotency-Key': create.key }
    expect(await api.get(`/api/intents?idempotencyKey=${create.key}`)).toMatchObject({
      status: 404,
      body: { service: { reason: 'intent_not_found' } },
    })
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
    expect([await over.status(), await live.status()]).toEqual([null, 'reserved'])
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
    expect(await roundOneWhileHeld()).toMatchObject({
      status: 409,
      body: { service: { ...held, intentId: await create.id() } },
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
