import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'

/** What a pitch, a selection and a proof answer before a payment: the price, or why not. */

const [requester, alice, bob, carol] = [anActor(), anActor(), anActor(), anActor()]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ FREE_SUBMISSIONS: '1', SUBMISSION_CEILING: '3' })
})
afterAll(() => api.stop())

const post = (path: string, body: unknown) => api.post(path, body, { 'X-Service-Idempotency-Key': randomUUID() })

async function expectPrice(path: string, body: unknown) {
  const answer = await post(path, body)
  expect(answer.body.accepts?.[0]?.amount ?? answer.body).toBe('1000')
  expect(answer.status).toBe(402)
}

async function expectRefusal(path: string, body: unknown, status: number, field?: string) {
  const answer = await post(path, body)
  expect({ status: answer.status, reason: answer.body.service?.reason }).toEqual({
    status,
    reason: status === 429 ? 'unclassified' : 'payment_preflight_rejected',
  })
  if (field !== undefined) expect(answer.body.issues).toMatchObject([{ path: field }])
}

/** Texts that a body may not have. */
const badTexts: [string, unknown][] = [
  ['missing', undefined],
  ['empty', ''],
  ['with a NUL', 'a\0b'],
  ['with a lone surrogate', 'a\ud800b'],
  ['with the other lone surrogate', '\udfff'],
  ['of 10001 characters', 'x'.repeat(10_001)],
  ['of 10001 astral characters', '🦀'.repeat(10_001)],
  ['of another type', ['x']],
]

describe('a pitch', () => {
  const aTask = (columns: Partial<TaskColumns> = {}) =>
    api.seed.task({ requester: requester.address, mode: 'pitch', pitchDeadline: START + 60n, ...columns })
  const pathOf = ({ id }: { id: string }) => `/api/tasks/${id}/pitches`
  const body = { workerAddress: alice.address, pitchText: 'I have done this', signature: 'x' }

  test('costs the fee, until the second before the pitch deadline', async () => {
    await expectPrice(pathOf(await aTask()), body)
    await expectPrice(pathOf(await aTask({ pitchDeadline: START + 1n })), body)
    await expectRefusal(pathOf(await aTask({ pitchDeadline: START })), body, 409)
    await expectRefusal(pathOf(await aTask({ pitchDeadline: START + 60n, expiryTime: START })), body, 409)
  })

  test('takes everything visible that has a UTF-8, and a time', async () => {
    const path = pathOf(await aTask())
    for (const pitchText of ['🦀'.repeat(10_000), ' .', '\u202e\u0301a\ufeff']) {
      await expectPrice(path, { ...body, pitchText, estimatedDuration: 0.5 })
    }
  })

  test.each(badTexts)('%s is refused', async (_name, pitchText) => {
    await expectRefusal(pathOf(await aTask()), { ...body, pitchText }, 400, 'pitchText')
  })

  test.each<[string, object, string]>([
    ['no signature', { signature: undefined }, 'signature'],
    ['an empty signature', { signature: '' }, 'signature'],
    ['no worker', { workerAddress: undefined }, 'workerAddress'],
    ['half a worker', { workerAddress: '0x12' }, 'workerAddress'],
    ['a duration of nothing', { estimatedDuration: 0 }, 'estimatedDuration'],
    ['a negative duration', { estimatedDuration: -1 }, 'estimatedDuration'],
    ['a duration as text', { estimatedDuration: '2' }, 'estimatedDuration'],
    ['a duration of eleven years', { estimatedDuration: 96_360 }, 'estimatedDuration'],
  ])('with %s is refused', async (_name, fields, field) => {
    await expectRefusal(pathOf(await aTask()), { ...body, ...fields }, 400, field)
  })

  test('for another task than the path’s is refused; for an unknown one, or of another mode, too', async () => {
    const task = await aTask()
    await expectRefusal(pathOf(task), { ...body, taskId: aHash() }, 400)
    await expectRefusal(pathOf({ id: aHash() }), body, 404)
    await expectRefusal(pathOf(await aTask({ mode: 'bounty', pitchDeadline: null })), body, 409)
    await expectRefusal(pathOf(await aTask({ evaluator: alice.address })), body, 403, 'workerAddress')
  })
})

describe('a selection', () => {
  async function aPitchedTask(columns: Partial<TaskColumns> = {}) {
    const task = await api.seed.task({
      requester: requester.address,
      mode: 'pitch',
      pitchDeadline: START - 60n,
      ...columns,
    })
    const [ofAlice, ofBob] = [await api.seed.pitch(task.id, alice.address), await api.seed.pitch(task.id, bob.address)]
    return { path: `/api/tasks/${task.id}/pitches/select`, taskId: task.id, ofAlice, ofBob }
  }
  const messageOf = (taskId: string, pitchId: string, worker: string) =>
    `service:select-worker:${taskId}:${pitchId}:${worker}`

  test('costs the fee, without a signature or with the requester’s', async () => {
    const { path, taskId, ofBob } = await aPitchedTask()
    const body = { pitchId: ofBob.id, workerAddress: bob.account.address }
    await expectPrice(path, body)
    const signature = await requester.account.signMessage({ message: messageOf(taskId, ofBob.id, bob.address) })
    await expectPrice(path, { ...body, signature })
    await expectPrice(path, { ...body, pitchId: ofBob.id.toUpperCase().replace('0X', '0x'), signature })
  })

  test('with a signature of another wallet, or over another text, is refused', async () => {
    const { path, taskId, ofAlice, ofBob } = await aPitchedTask()
    const { account } = requester
    const message = messageOf(taskId, ofBob.id, bob.address)
    const signatures = [
      await bob.account.signMessage({ message }),
      await account.signMessage({ message: messageOf(taskId, ofAlice.id, bob.address) }),
      await account.signMessage({ message: messageOf(taskId, ofBob.id, alice.address) }),
      await account.signMessage({ message: messageOf(aHash(), ofBob.id, bob.address) }),
      await account.signMessage({ message: messageOf(taskId, ofBob.id, bob.account.address) }),
      '0x',
    ]
    for (const signature of signatures) {
      await expectRefusal(path, { pitchId: ofBob.id, workerAddress: bob.address, signature }, 403, 'signature')
    }
    const body = { pitchId: ofBob.id, workerAddress: bob.address }
    for (const signature of ['', 'x', 7]) await expectRefusal(path, { ...body, signature }, 400, 'signature')
  })

  test('of a pitch of another worker or task, or of none, is refused', async () => {
    const { path, ofAlice } = await aPitchedTask()
    const elsewhere = await aPitchedTask()
    for (const pitchId of [ofAlice.id, elsewhere.ofBob.id, aHash()]) {
      await expectRefusal(path, { pitchId, workerAddress: bob.address }, 409, 'pitchId')
    }
    await expectRefusal(path, { pitchId: ofAlice.id, workerAddress: carol.address }, 409, 'workerAddress')
    await expectRefusal(path, { workerAddress: alice.address }, 400, 'pitchId')
    await expectRefusal(path, { pitchId: ofAlice.id }, 400, 'workerAddress')
  })

  test('is possible until the expiry, once', async () => {
    const attempt = async (columns: Partial<TaskColumns>, status: number) => {
      const { path, ofBob } = await aPitchedTask(columns)
      const answer = await post(path, { pitchId: ofBob.id, workerAddress: bob.address })
      expect(answer.status).toBe(status)
    }
    await attempt({ expiryTime: START + 1n }, 402)
    await attempt({ expiryTime: START }, 409)
    await attempt({ status: 'worker_selected', worker: alice.address }, 409)
  })
})

describe('a proof', () => {
  const aBenchmark = (columns: Partial<TaskColumns> = {}) =>
    api.seed.task({ requester: requester.address, mode: 'benchmark', ...columns })
  const pathOf = ({ id }: { id: string }) => `/api/tasks/${id}/proofs`
  const body = { workerAddress: alice.address, proofData: 'https://example.com/1', proofType: 'url', signature: 'x' }

  test('costs the fee, with and without a metric, until the expiry', async () => {
    const path = pathOf(await aBenchmark())
    const largest = (2n ** 256n - 1n).toString()
    for (const metricValue of [undefined, '0', '12', '007', largest, largest.padStart(200, '0')]) {
      await expectPrice(path, { ...body, metricValue })
    }
    await expectRefusal(pathOf(await aBenchmark({ expiryTime: START })), body, 409)
  })

  test('is of any of the types', async () => {
    const path = pathOf(await aBenchmark())
    for (const proofType of ['url', 'screenshot', 'api_data', 'manual', 'custom', 'eval', 'tlsn', 'zk']) {
      await expectPrice(path, { ...body, proofType })
    }
  })

  test.each(badTexts)('with data %s is refused', async (_name, proofData) => {
    await expectRefusal(pathOf(await aBenchmark()), { ...body, proofData }, 400, 'proofData')
  })

  test.each<[string, object, string]>([
    ['no type', { proofType: undefined }, 'proofType'],
    ['the type of unknown ones', { proofType: 'unknown' }, 'proofType'],
    ['a type in capitals', { proofType: 'URL' }, 'proofType'],
    ['an empty signature', { signature: '' }, 'signature'],
    ['a metric that is no number', { metricValue: 'fast' }, 'metricValue'],
    ['an empty metric', { metricValue: '' }, 'metricValue'],
    ['a negative metric', { metricValue: '-1' }, 'metricValue'],
    ['a broken metric', { metricValue: '1.5' }, 'metricValue'],
    ['a metric in hex', { metricValue: '0x10' }, 'metricValue'],
    ['a metric as a number', { metricValue: 12 }, 'metricValue'],
    ['a metric of no value', { metricValue: null }, 'metricValue'],
    ['a metric above 2^256 - 1', { metricValue: (2n ** 256n).toString() }, 'metricValue'],
    ['a metric of 201 digits', { metricValue: '0'.repeat(201) }, 'metricValue'],
  ])('with %s is refused', async (_name, fields, field) => {
    await expectRefusal(pathOf(await aBenchmark()), { ...body, ...fields }, 400, field)
  })

  test('that the worker submitted already is refused; the same data of another worker are not', async () => {
    const task = await aBenchmark()
    await api.seed.proof(task.id, alice.address, { proofData: body.proofData })
    await expectRefusal(pathOf(task), body, 409, 'proofData')
    await expectRefusal(pathOf(task), { ...body, proofType: 'zk', metricValue: '9' }, 409, 'proofData')
    await expectPrice(pathOf(task), { ...body, workerAddress: bob.address })
    await expectPrice(pathOf(await aBenchmark()), body)
  })

  test('of a rejected worker, of who judges, or in another mode is refused', async () => {
    const task = await aBenchmark({ evaluator: carol.address })
    await api.seed.proof(task.id, bob.address, { rejectedAt: START })
    await api.sql`update task_entry set rejected = true where task_id = ${task.id}`
    await expectRefusal(pathOf(task), { ...body, workerAddress: bob.address }, 409)
    await expectRefusal(pathOf(task), { ...body, workerAddress: carol.address }, 403, 'workerAddress')
    await expectRefusal(pathOf(await aBenchmark({ mode: 'bounty' })), body, 409)
    await expectRefusal(pathOf({ id: aHash() }), body, 404)
  })

  test('counts to the ceiling of submissions, and uses up none that is free', async () => {
    const task = await aBenchmark()
    const submit = async () => {
      const file = { fileName: 'a.txt', mimeType: 'text/plain', file: 'YQ==' }
      const submission = { workerAddress: alice.address, artifacts: [file], signature: '0x' }
      return (await post(`/api/tasks/${task.id}/submissions`, submission)).status
    }
    await api.seed.proof(task.id, alice.address)
    await api.seed.proof(task.id, alice.address)
    // Free on a signature, which is not the worker's.
    expect(await submit()).toBe(403)
    await expectPrice(pathOf(task), body)
    await api.seed.submission(task.id, alice.address)
    expect(await submit()).toBe(429)
    await expectRefusal(pathOf(task), body, 429)
  })
})
