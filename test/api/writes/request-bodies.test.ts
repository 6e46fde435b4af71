import { beforeEach, expect, it } from 'vitest'
import { insertContent } from '../../../api/intents/content.queries.ts'
import { isDocumentRepeated, isDocumentViolation } from '../../../api/intents/repeated-document.queries.ts'
import { anActor } from '../../support/actors.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'
import { aStartedApi } from './started-api.ts'

const api = aStartedApi({ WRITE_ANSWER_MS: '100' })
beforeEach(() => agreeToEverything(api))

const REJECTED = 'payment_preflight_rejected'

const send = (path: string, body: string) => api.post(path, body, { 'X-Service-Idempotency-Key': crypto.randomUUID() })

it.each([
  ['no JSON for a paid write', '/api/tasks', '{', 400, REJECTED],
  ['no JSON for a write that is never paid', '/api/wallet/withdraw', '{', 400, 'unclassified'],
  ['a body that is too long', '/api/tasks', `"${'x'.repeat(1_100_000)}"`, 413, 'unclassified'],
])('given %s, then it is refused before anything is reserved', async (_, path, body, status, reason) => {
  const answer = await send(path, body)
  expect([answer.status, answer.body.service.reason]).toEqual([status, reason])
  // No field is wrong: there are none.
  expect(answer.body).not.toHaveProperty('issues')
})

it('given the id of another task in the body, then 400 names it; the same in capitals is left out', async () => {
  const { id } = await api.seed.task({ requester: anActor().address })
  const rate = (taskId: unknown) =>
    send(`/api/tasks/${id}/accept`, JSON.stringify({ worker: anActor().address, taskId }))
  for (const other of [aHash(), 7, null]) {
    const { status, body } = await rate(other)
    expect([status, body.service.reason, body.issues?.[0]?.path]).toEqual([400, REJECTED, 'taskId'])
  }
  const refusals: unknown[] = []
  for (const same of [undefined, id, id.toUpperCase().replace('X', 'x')]) refusals.push((await rate(same)).body.service)
  expect(refusals[1]).toEqual(refusals[0])
  expect(refusals[2]).toEqual(refusals[0])
})

const documentSalt = `0x${'5a'.repeat(32)}`

it('given the same texts with the same salt again, then they are refused and nothing is bound', async () => {
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
  expect(await again.status()).toBe('reserved')
  const others = [
    aPaidCreate(api, { documentSalt }),
    aPaidCreate(api, { documentSalt, description: 'Another' }, payer),
    aPaidCreate(api, {}, payer),
  ]
  for (const other of others) {
    expect((await other.roundTwo()).body.service.reason).toBe('intent_in_flight')
    expect(await other.status()).toBe('recorded')
  }
})

it('given two requests with the same texts and salt at one time, then one is bound and the other refused', async () => {
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
  const statuses = await Promise.all(requests.map((request) => request.status()))
  expect(statuses.sort()).toEqual(['recorded', 'reserved'])
})

it('given a document that another write stores at the same time, then the violation is told from others', async () => {
  const create = aPaidCreate(api)
  await create.roundTwo()
  const id = await create.id()
  const [taskId, worker] = [documentSalt, anActor().address] as const
  const feedback = { taskId, worker, feedbackHash: documentSalt, body: '{}', feedbackText: '' } as const
  const submission = { taskId, worker, deliverable: documentSalt, manifest: '{}', signature: '0x', artifacts: [] }
  for (const content of [{ feedback }, { submission }]) {
    expect(await isDocumentRepeated(api.sql, content as never)).toBe(false)
    const insert = () => api.sql.begin((tx) => insertContent(tx, id, content as never))
    await insert()
    expect(await isDocumentRepeated(api.sql, content as never)).toBe(true)
    const violation = await insert().catch((error: unknown) => error)
    expect(isDocumentViolation(violation)).toBe(true)
  }
  expect(isDocumentViolation(new Error('another'))).toBe(false)
})
