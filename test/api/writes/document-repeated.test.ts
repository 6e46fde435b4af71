import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertContent } from '../../../api/intents/content.queries.ts'
import { isDocumentRepeated, isDocumentViolation } from '../../../api/intents/repeated-document.queries.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '100' })
})
beforeEach(() => agreeToEverything(api))
afterAll(() => api.stop())

const documentSalt = `0x${'5a'.repeat(32)}`
const statusOf = async (key: string) => (await api.sql`select status from intents where idempotency_key = ${key}`)[0]

test('given the same texts with the same salt again, then they are refused and nothing is bound', async () => {
  const payer = anActor()
  const first = aPaidCreate(api, { documentSalt }, payer)
  expect((await first.roundTwo()).body.service.reason).toBe('intent_in_flight')
  const again = aPaidCreate(api, { documentSalt: documentSalt.toUpperCase().replace('X', 'x') }, payer)
  expect(await again.roundTwo()).toMatchObject({
    status: 409,
    body: {
      error: expect.stringContaining('send another documentSalt'),
      service: { reason: 'payment_preflight_rejected', detail: 'document_repeated' },
      issues: [{ path: 'documentSalt' }],
    },
  })
  expect(await statusOf(again.key)).toEqual({ status: 'reserved' })
  const others = [
    aPaidCreate(api, { documentSalt }),
    aPaidCreate(api, { documentSalt, description: 'Another' }, payer),
    aPaidCreate(api, {}, payer),
  ]
  for (const other of others) {
    expect((await other.roundTwo()).body.service.reason).toBe('intent_in_flight')
    expect(await statusOf(other.key)).toEqual({ status: 'recorded' })
  }
})

test('given two requests with the same texts and salt at one time, then one is bound and the other refused', async () => {
  const payer = anActor()
  const salt = `0x${'6b'.repeat(32)}`
  // Both have looked for a repeated document before either is bound.
  let waiting = 0
  let release = () => {}
  const both = new Promise<void>((resolve) => {
    release = resolve
  })
  const { simulate } = api.chain
  api.chain.simulate = async (call) => {
    if (++waiting === 2) release()
    await both
    return await simulate(call)
  }
  const requests = [1, 2].map(() => aPaidCreate(api, { documentSalt: salt }, payer))
  const answers = await Promise.all(requests.map((request) => request.roundTwo()))
  const details = answers.map(({ status, body: { service } }) => [status, service.detail])
  expect(details.sort()).toEqual([
    [409, 'document_repeated'],
    [409, 'write_undecided'],
  ])
  const statuses = await Promise.all(requests.map(async ({ key }) => (await statusOf(key))?.status))
  expect(statuses.sort()).toEqual(['recorded', 'reserved'])
})

test('given a plain request that is repeated under its key, then its intent answers, not another salt', async () => {
  const create = aPaidCreate(api)
  await create.roundTwo()
  expect(await create.roundTwo()).toMatchObject({
    status: 409,
    body: { service: { reason: 'idempotency_key_reused' } },
  })
})

test('given a salt of zeros, then the field is refused', async () => {
  const { status, body } = await aPaidCreate(api, { documentSalt: `0x${'00'.repeat(32)}` }).roundOne()
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'documentSalt', message: 'must not be zero' }] },
  })
})

test('given a document that another write stores at the same time, then the violation is told from others', async () => {
  await aPaidCreate(api).roundTwo()
  const [intent] = await api.sql<{ id: string }[]>`select id from intents where status = 'recorded' limit 1`
  const id = intent?.id ?? ''
  const [taskId, worker] = [documentSalt, anActor().address] as const
  const feedback = { taskId, worker, feedbackHash: documentSalt, body: '{}', feedbackText: '' } as const
  const submission = {
    taskId,
    worker,
    deliverable: documentSalt,
    manifest: '{}',
    signature: '0x',
    artifacts: [],
  } as const
  for (const content of [{ feedback }, { submission: { ...submission, artifacts: [] } }]) {
    expect(await isDocumentRepeated(api.sql, content as never)).toBe(false)
    const insert = () => api.sql.begin((tx) => insertContent(tx, id, content as never))
    await insert()
    expect(await isDocumentRepeated(api.sql, content as never)).toBe(true)
    const violation = await insert().catch((error: unknown) => error)
    expect(isDocumentViolation(violation)).toBe(true)
  }
  expect(isDocumentViolation(new Error('another'))).toBe(false)
})
