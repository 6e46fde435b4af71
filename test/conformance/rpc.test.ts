import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody, aTaskBody, aTextFile } from '../support/conformance-fixtures.ts'
import { openHttp } from '../support/conformance-http.ts'
import { aKey } from '../support/paying-client.ts'
import { type Call, preparePayment, type TransportAdapter, transportAdapters } from './transport-adapters.ts'

const environment = openEnvironment()
const { baseUrl } = environment
const [rest, rpc] = transportAdapters as [TransportAdapter, TransportAdapter]
const { get, post } = openHttp(baseUrl, { root: '/trpc' })

async function pay(payer: Actor, call: Call) {
  const client = await environment.clientOf(payer)
  const paid = await preparePayment(rpc, { baseUrl, call, sign: (requirement) => client.sign(requirement) })
  return { paid, answer: await rpc.write(baseUrl, paid) }
}

describe('RPC: a task from its creation to its rating', () => {
  test('every write completes through the same pipeline, with its receipt', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const money = await environment.chain.watch({ requester: requester.address, alice: alice.address })
    const created = await pay(requester, { operation: 'tasks.create', input: aTaskBody() })
    expect(created.answer.data).toEqual({
      success: true,
      taskId: expect.stringMatching(/^0x/),
      intentId: expect.any(String),
      taskDropId: null,
    })
    const receipt = created.answer.headers.get('payment-response') ?? ''
    expect(JSON.parse(Buffer.from(receipt, 'base64').toString())).toMatchObject({ success: true, amount: '2000000' })
    const { taskId } = created.answer.data

    const input = await aSubmissionBody(alice, taskId)
    const submitted = await rpc.write(baseUrl, { operation: 'submissions.create', input })
    expect(submitted.data).toEqual({ success: true, submissionId: expect.any(String) })
    const worker = alice.account.address
    const accepted = await pay(requester, { operation: 'tasks.accept', input: { taskId, worker } })
    expect(accepted.answer.data).toEqual({ success: true })
    const rated = await pay(requester, { operation: 'tasks.rate', input: { taskId, worker, rating: 90 } })
    expect(rated.answer.data).toEqual({ success: true, feedbackId: expect.any(String) })

    expect(await money.changes()).toEqual({ requester: -2_002_000n, alice: 1_850_000n })
    const { body } = await environment.get(`/tasks/${taskId}`)
    expect(body).toMatchObject({ status: 'completed', primaryAward: { workerAddress: worker, rating: 90 } })
    const { body: told } = await get(`/tasks.get?input=${encodeURIComponent(JSON.stringify({ taskId }))}`)
    expect(told.result.data).toEqual(body)
  })

  test('a write is shared with REST: one key, one payment, one intent', async () => {
    const requester = await environment.aWallet()
    const client = await environment.clientOf(requester)
    const call: Call = { operation: 'tasks.create', input: aTaskBody() }
    const money = await environment.chain.watch({ requester: requester.address })
    // Challenged over REST, paid over RPC, repeated over REST.
    const paid = await preparePayment(rest, { baseUrl, call, sign: (requirement) => client.sign(requirement) })
    const landed = await rpc.write(baseUrl, paid)
    expect(landed.status).toBe(200)
    const repeated = await rest.write(baseUrl, paid)
    expect(repeated.error?.service).toMatchObject({
      reason: 'idempotency_key_reused',
      intentStatus: 'completed',
      intentId: landed.data.intentId,
    })
    const { body } = await get(
      `/intents.get?input=${encodeURIComponent(JSON.stringify({ idempotencyKey: paid.key }))}`,
      {
        headers: { 'PAYMENT-SIGNATURE': paid.payment },
      },
    )
    expect(body.result.data).toMatchObject({ operation: 'tasks.create', status: 'completed' })
    expect(await money.changes()).toEqual({ requester: -2_000_000n })
  })

  test('of simultaneous requests with one key, over both, one wins', async () => {
    const requester = await environment.aWallet()
    const client = await environment.clientOf(requester)
    const key = aKey()
    const call: Call = { operation: 'tasks.create', input: aTaskBody(), key }
    const prepare = (adapter: TransportAdapter) =>
      preparePayment(adapter, { baseUrl, call, sign: (requirement) => client.sign(requirement) })
    const payments = [await prepare(rest), await prepare(rpc), await prepare(rest), await prepare(rpc)]
    const money = await environment.chain.watch({ requester: requester.address })
    const answers = await Promise.all(
      payments.map((paid, index) => (index % 2 === 0 ? rest : rpc).write(baseUrl, paid)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { error } of answers.filter(({ status }) => status !== 200)) {
      expect(error?.service.reason).toBe('idempotency_key_reused')
    }
    expect(await money.changes()).toEqual({ requester: -2_000_000n })
  })
})

describe('RPC: requests', () => {
  test('a batch of queries has one status for each; a batch of one write completes', async () => {
    const inputs = encodeURIComponent(JSON.stringify({ 1: { limit: 0 } }))
    const { status, body } = await get(`/tasks.stats,tasks.list?batch=1&input=${inputs}`)
    expect([status, body[0].result.data.count, body[1].error.data.httpStatus]).toEqual([207, expect.any(Number), 400])

    const [taskId, alice] = [await environment.createTask(await environment.aWallet()), anActor()]
    // A file is decoded while it is received, at any depth of the body.
    const large = aTextFile('large '.repeat(300_000))
    const submission = await aSubmissionBody(alice, taskId, [large])
    const landed = await post('/submissions.create?batch=1', { body: { 0: submission } })
    expect([landed.status, landed.body]).toEqual([
      200,
      [{ result: { data: expect.objectContaining({ success: true }) } }],
    ])
    const two = await post('/submissions.create,submissions.create?batch=1', { body: { 0: submission, 1: submission } })
    expect(two.status).toBe(400)
    expect((await environment.get(`/tasks/${taskId}/submissions`)).body).toHaveLength(1)
  })
})
