import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()

describe('Intents: GET /intents', () => {
  test('shows the initiator the outcome of a write, by key and by id', async () => {
    const requester = await environment.aWallet()
    const key = aKey()
    const { body: created } = await environment.pay(requester, '/tasks', aTaskBody(), key)
    const { status, body } = await environment.get(`/intents?idempotencyKey=${key}`, { as: requester })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        intentId: created.intentId,
        idempotencyKey: key,
        operation: 'tasks.create',
        status: 'completed',
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        terminalReason: null,
        taskId: created.taskId,
        refund: null,
      },
    })
    expect((await environment.get(`/intents?intentId=${created.intentId}`, { as: requester })).body).toEqual(body)
  })

  test('has the transaction in which the forwarder relayed this intent', async () => {
    const requester = await environment.aWallet()
    const key = aKey()
    await environment.pay(requester, '/tasks', aTaskBody({ reward: '1234567' }), key)
    const { body } = await environment.get(`/intents?idempotencyKey=${key}`, { as: requester })
    const relayed = (await environment.chain.forwarderLogs(body.txHash)).flatMap((log) =>
      log.eventName === 'IntentRelayed' ? [log.args] : [],
    )
    expect(relayed).toMatchObject([{ actor: requester.account.address, amount: 1_234_567n }])
  })

  test('allows a caller without identity to read its intent with the same payment', async () => {
    const requester = await environment.aWallet()
    const client = await environment.clientOf(requester)
    const call = { path: '/tasks', body: aTaskBody(), key: aKey() }
    const payment = await client.sign(await client.challenge(call))
    await client.sendPaid(call, payment)
    const read = async (header: string) =>
      await environment.get(`/intents?idempotencyKey=${call.key}`, { headers: { 'PAYMENT-SIGNATURE': header } })
    expect((await read(payment.header)).body).toMatchObject({ status: 'completed', idempotencyKey: call.key })
    // Another payment of the same payer gives no access to this intent, and a signature of another wallet gives none.
    const another = await client.sign(await client.challenge({ ...call, key: aKey() }))
    expectRefusal(await read(another.header), 404, 'intent_not_found')
    const forger = await environment.clientOf(anActor())
    const requirement = await client.challenge({ ...call, key: aKey() })
    const { header: forged } = await forger.sign(requirement, payment.authorization)
    expectRefusal(await read(forged), 404, 'intent_not_found')
  })

  test('shows a reserved intent to any caller with its key, by key only', async () => {
    const key = aKey()
    await environment.post('/tasks', { key, body: aTaskBody() })
    const { body } = await environment.get(`/intents?idempotencyKey=${key}`)
    expect(body).toMatchObject({
      idempotencyKey: key,
      operation: 'tasks.create',
      status: 'reserved',
      txHash: null,
      terminalReason: null,
      taskId: null,
      refund: null,
    })
    expectRefusal(await environment.get(`/intents?intentId=${body.intentId}`), 404, 'intent_not_found')
  })

  test.each(['', 'intentId=1', 'idempotencyKey=mine', `intentId=${aKey()}&idempotencyKey=${aKey()}`])(
    'refuses ?%s',
    async (query) => {
      expectRefusal(await environment.get(`/intents?${query}`), 400, 'unclassified')
    },
  )
})
