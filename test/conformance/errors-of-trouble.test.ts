import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openWorld } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { openHttp } from '../support/conformance-http.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aTaskBody } from '../support/conformance-scenes.ts'
import { type CuttableProxy, startCuttableProxy } from '../support/cuttable-proxy.ts'
import { aKey, createPayingClient } from '../support/paying-client.ts'

const world = openWorld()

describe('Errors: of a service that is impatient and mean', () => {
  let impatient: Awaited<ReturnType<typeof startAnotherApi>>
  beforeAll(async () => {
    impatient = await startAnotherApi({ environment: { WRITE_ANSWER_MS: '300', INTENT_READS_PER_MINUTE: '2' } })
  })
  afterEach(() => world.chain.request('evm_setAutomine', [true]))
  afterAll(() => impatient.stop())

  test('intent_in_flight: broadcast, no outcome yet: the write goes on, and can neither be repeated nor paid for twice', async () => {
    const requester = await world.aWallet()
    const { baseUrl } = impatient
    const client = createPayingClient({ baseUrl, account: requester.account, fetch: openHttp(baseUrl).fetch })
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    const payment = await client.sign(await client.challenge(call))
    const money = await world.chain.watch({ requester: requester.address })
    await world.chain.request('evm_setAutomine', [false])
    const { service } = expectRefusal(await client.sendPaid(call, payment), 409, 'intent_in_flight')
    expect(service).toMatchObject({ operation: 'tasks.create', idempotencyKey: call.key, intentId: expect.any(String) })
    expect(['recorded', 'broadcast']).toContain(service.intentStatus)

    const repeated = expectRefusal(await client.sendPaid(call, payment), 409, 'idempotency_key_reused')
    expect(['recorded', 'broadcast']).toContain(repeated.service.intentStatus)
    const elsewhere = await client.sendPaid({ ...call, key: aKey() }, payment)
    expect(expectRefusal(elsewhere, 409, 'payment_already_spent').service.intentId).toBe(service.intentId)
    const read = async () => (await world.get(`/intents?intentId=${service.intentId}`, { as: requester })).body
    expect(['recorded', 'broadcast']).toContain((await read()).status)

    await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe('broadcast')
    await world.chain.request('evm_mine')
    await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe('completed')
    expect(await money.changes()).toEqual({ requester: -2_000_000n })
  })

  test('TOO_MANY_REQUESTS: anonymous reads of intents have a budget, which callers with an identity do not use', async () => {
    const { get } = openHttp(impatient.baseUrl)
    const path = `/intents?intentId=${aKey()}`
    for (let count = 0; count < 2; count += 1) expectRefusal(await get(path), 404, 'intent_not_found')
    const refused = await get(path)
    expectRefusal(refused, 429, 'unclassified')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit')).toMatch(/./)
    expectRefusal(await get(path, { as: anActor() }), 404, 'intent_not_found')
  })
})

describe('Errors: idempotency_check_unavailable', () => {
  let proxy: CuttableProxy
  let cutOff: Awaited<ReturnType<typeof startAnotherApi>>
  beforeAll(async () => {
    const databaseUrl = new URL(inject('conformanceStack').databaseUrl)
    proxy = await startCuttableProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port) })
    databaseUrl.port = String(proxy.port)
    cutOff = await startAnotherApi({ databaseUrl: databaseUrl.href, environment: {} })
  })
  afterAll(async () => {
    proxy.mend()
    await cutOff.stop()
    await proxy.stop()
  })

  test('the database is away: nothing is charged, reads say 503 too, and the same key works once it is back', async () => {
    const requester = await world.aWallet()
    const { baseUrl } = cutOff
    const { fetch, post, get } = openHttp(baseUrl)
    const client = createPayingClient({ baseUrl, account: requester.account, fetch })
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    const payment = await client.sign(await client.challenge(call))
    const money = await world.chain.watch({ requester: requester.address })
    proxy.cut()
    expectRefusal(await post(call.path, call), 503, 'idempotency_check_unavailable')
    expectRefusal(await client.sendPaid(call, payment), 503, 'idempotency_check_unavailable')
    expectRefusal(await get('/tasks'), 503, 'unclassified')
    expect(await money.changes()).toEqual({ requester: 0n })
    proxy.mend()
    await expect.poll(async () => (await get('/tasks')).status, { timeout: 10_000 }).toBe(200)
    expect((await client.sendPaid(call, payment)).status).toBe(200)
    expect(await money.changes()).toEqual({ requester: -2_000_000n })
  })
})
