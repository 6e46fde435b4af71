import { expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
import { openHttp, type PostOptions } from '../support/conformance-http.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()
const { get, post } = openHttp(environment.baseUrl, { root: '/trpc' })

/** Both rounds of a paid procedure. */
async function pay(payer: Actor, procedure: string, body: unknown) {
  const client = await environment.clientOf(payer)
  const call: PostOptions = { body, key: aKey() }
  const asked = await post(procedure, call)
  const { code, data } = asked.body.error
  expect([asked.status, code, data.httpStatus]).toEqual([402, expect.any(Number), 402])
  expect(decode(asked.headers.get('payment-required'))).toEqual(data.paymentRequired)
  const { header: payment } = await client.sign(data.paymentRequired.accepts[0])
  const paid = { ...call, payment }
  const { status, headers, body: answer } = await post(procedure, paid)
  expect({ status, keys: Object.keys(answer) }).toEqual({ status: 200, keys: ['result'] })
  return { paid, headers, data: answer.result.data }
}

function decode(header: string | null) {
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString())
}

test('given a task from its creation to its rating by procedures, then every write completes through the same pipeline, with its receipt', async () => {
  const [requester, alice] = [await environment.aWallet(), anActor()]
  const money = await environment.chain.watch({ requester: requester.address, alice: alice.address })
  const created = await pay(requester, '/tasks.create', aTaskBody())
  expect(created.data).toEqual({
    success: true,
    taskId: expect.stringMatching(/^0x/),
    intentId: expect.any(String),
    taskDropId: null,
  })
  expect(decode(created.headers.get('payment-response'))).toMatchObject({ success: true, amount: '2000000' })
  const { taskId, intentId } = created.data

  // One key, one payment and one intent, over both transports.
  const repeated = await environment.post('/tasks', created.paid)
  const reused = { reason: 'idempotency_key_reused', intentStatus: 'completed', intentId }
  expect([repeated.status, repeated.body.service]).toEqual([409, expect.objectContaining(reused)])
  const byKey = encodeURIComponent(JSON.stringify({ idempotencyKey: created.paid.key }))
  const intent = await get(`/intents.get?input=${byKey}`, {
    headers: { 'PAYMENT-SIGNATURE': created.paid.payment ?? '' },
  })
  expect(intent.body.result.data).toMatchObject({ operation: 'tasks.create', status: 'completed' })

  const submission = await post('/submissions.create', { body: await aSubmissionBody(alice, taskId) })
  expect(submission.body.result.data).toEqual({ success: true, submissionId: expect.any(String) })
  const worker = alice.account.address
  expect((await pay(requester, '/tasks.accept', { taskId, worker })).data).toEqual({ success: true })
  const rated = await pay(requester, '/tasks.rate', { taskId, worker, rating: 90 })
  expect(rated.data).toEqual({ success: true, feedbackId: expect.any(String) })

  expect(await money.changes()).toEqual({ requester: -2_002_000n, alice: 1_850_000n })
  const { body } = await environment.get(`/tasks/${taskId}`)
  expect(body).toMatchObject({ status: 'completed', primaryAward: { workerAddress: worker, rating: 90 } })
  const { body: told } = await get(`/tasks.get?input=${encodeURIComponent(JSON.stringify({ taskId }))}`)
  expect(told.result.data).toEqual(body)
})
