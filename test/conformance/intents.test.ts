import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
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

  test('has the name of every main operation; only tasks.create has a taskId', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const outcomes: Record<string, { status: string; taskId: Hex | null }> = {}
    const perform = async (path: string, body?: unknown) => {
      const key = aKey()
      const answer = await environment.pay(requester, path, body, key)
      expect(answer.status).toBe(200)
      const { operation, status, taskId } = (await environment.get(`/intents?idempotencyKey=${key}`, { as: requester }))
        .body
      outcomes[operation] = { status, taskId }
      return answer.body
    }
    const { taskId } = await perform('/tasks', aTaskBody())
    await perform(`/tasks/${taskId}/update`, { tags: [] })
    await environment.submit(alice, taskId)
    await perform(`/tasks/${taskId}/accept`, { worker: alice.address })
    await perform(`/tasks/${taskId}/rate`, { worker: alice.address, rating: 70 })
    const other = await environment.createTask(requester)
    await environment.submit(alice, other)
    await perform(`/tasks/${other}/reject-submission`, { worker: alice.address })
    await perform(`/tasks/${other}/cancel`)
    const third = await environment.createTask(requester)
    await environment.submit(alice, third)
    await perform(`/tasks/${third}/accept-submissions`, { winners: [{ worker: alice.address, share: 10_000 }] })
    const done = { status: 'completed', taskId: null }
    expect(outcomes).toEqual({
      'tasks.create': { status: 'completed', taskId },
      'tasks.update': done,
      'tasks.accept': done,
      'tasks.rate': done,
      'submissions.reject': done,
      'tasks.cancel': done,
      'tasks.acceptSubmissions': done,
    })
  })

  test('has the signer of a free write as its initiator', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const key = aKey()
    await environment.post(`/tasks/${taskId}/submissions`, { key, body: await aSubmissionBody(alice, taskId) })
    const { body } = await environment.get(`/intents?idempotencyKey=${key}`, { as: alice })
    expect(body).toMatchObject({ operation: 'submissions.create', status: 'completed', taskId: null })
    expectRefusal(await environment.get(`/intents?idempotencyKey=${key}`, { as: requester }), 404, 'intent_not_found')
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

  test('answers other wallets as if the intent did not exist', async () => {
    const [requester, stranger] = [await environment.aWallet(), anActor()]
    const key = aKey()
    const { body: created } = await environment.pay(requester, '/tasks', aTaskBody(), key)
    const unknown = await environment.get(`/intents?intentId=${aKey()}`)
    const hidden = [
      await environment.get(`/intents?idempotencyKey=${key}`),
      await environment.get(`/intents?intentId=${created.intentId}`),
      await environment.get(`/intents?idempotencyKey=${key}`, { as: stranger }),
    ]
    for (const answer of hidden) {
      expectRefusal(answer, 404, 'intent_not_found')
      expect(answer.body).toEqual(unknown.body)
    }
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
