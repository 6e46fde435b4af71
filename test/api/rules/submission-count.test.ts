import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countSubmissions, lockSubmissions } from '../../../api/db/submission-count.queries.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/builders.ts'

const [requester, alice, bob] = [anActor().address, anActor().address, anActor().address]

let api: TestApi
let taskId: `0x${string}`
beforeAll(async () => {
  api = await startTestApi()
})
beforeEach(async () => {
  taskId = (await api.seed.task({ requester })).id
})
afterAll(() => api.stop())

const count = async () => {
  const { ordinary, total } = await countSubmissions(api.sql, taskId, alice)
  expect(total).toBe(ordinary)
  return ordinary
}

test('given submissions of others, or to others, then they do not count', async () => {
  await api.seed.submission(taskId, bob)
  await api.seed.submission((await api.seed.task({ requester })).id, alice)
  expect(await count()).toBe(0)
})

test('given a relayed one and a direct one, then each counts once', async () => {
  await api.seed.submission(taskId, alice)
  await api.seed.submission(taskId, alice, { files: null })
  expect(await count()).toBe(2)
})

test.each([
  ['recorded', 1],
  ['broadcast', 1],
  ['completed', 1],
  ['failed', 0],
  ['held', 0],
] as const)('given one that is %s and not anchored, then it counts %i times', async (status, times) => {
  await aBoundSubmission(status)
  expect(await count()).toBe(times)
})

test('given two transactions that count and add, then the second one sees what the first added', async () => {
  const countThenAdd = () =>
    api.sql.begin(async (tx) => {
      await lockSubmissions(tx, taskId)
      const { total: before } = await countSubmissions(tx, taskId, alice)
      await aBoundSubmission('recorded', tx as unknown as TestApi['sql'])
      return before
    })
  const counts = await Promise.all([countThenAdd(), countThenAdd(), countThenAdd()])
  expect(counts.toSorted()).toEqual([0, 1, 2])
})

test('given proofs, then they count in all, each once, and use up nothing that is free', async () => {
  await api.seed.submission(taskId, alice)
  await api.seed.proof(taskId, alice)
  await api.seed.proof(taskId, alice, { proofData: null })
  await api.seed.proof(taskId, bob)
  expect(await countSubmissions(api.sql, taskId, alice)).toMatchObject({ ordinary: 1, total: 3 })
  for (const [status, total] of [
    ['recorded', 4],
    ['broadcast', 5],
    ['failed', 5],
    ['completed', 6],
  ] as const) {
    await aBoundProof(status)
    expect(await countSubmissions(api.sql, taskId, alice)).toMatchObject({ ordinary: 1, total })
  }
})

async function aBoundProof(status: string): Promise<void> {
  const intentId = await anIntent(status, 'proofs.create')
  const content = { proofId: aHash(), taskId, worker: alice, intentId, proofData: 'x' }
  await api.sql`insert into service.proof_content ${api.sql(content)}`
}

async function aBoundSubmission(status: string, sql = api.sql): Promise<void> {
  const intentId = await anIntent(status, 'submissions.create', sql)
  const content = { taskId, worker: alice, deliverable: aHash(), intentId, manifest: '{}', signature: '0x' }
  await sql`insert into service.submission_content ${sql(content)}`
}

async function anIntent(status: string, operation: string, sql = api.sql): Promise<string> {
  const id = randomUUID()
  const intent = { id, idempotencyKey: randomUUID(), operation, fingerprint: Buffer.alloc(32), status }
  await sql`insert into service.intents ${sql({ ...intent, leg: 'signed', calldata: '0x', chainIntentId: aHash() })}`
  return id
}
