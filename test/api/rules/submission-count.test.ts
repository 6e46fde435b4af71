import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countSubmissions, lockSubmissions } from '../../../api/features/submissions/submission-count.queries.ts'
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

const count = () => countSubmissions(api.sql, taskId, alice)

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
      await lockSubmissions(tx, taskId, alice)
      const before = await countSubmissions(tx, taskId, alice)
      await aBoundSubmission('recorded', tx as unknown as TestApi['sql'])
      return before
    })
  const counts = await Promise.all([countThenAdd(), countThenAdd(), countThenAdd()])
  expect(counts.toSorted()).toEqual([0, 1, 2])
})

async function aBoundSubmission(status: string, sql = api.sql): Promise<void> {
  const intentId = randomUUID()
  const intent = {
    id: intentId,
    idempotencyKey: randomUUID(),
    operation: 'submissions.create',
    fingerprint: Buffer.alloc(32),
    status,
    leg: 'signed',
    calldata: '0x',
    chainIntentId: aHash(),
  }
  await sql`insert into service.intents ${sql(intent)}`
  const content = { taskId, worker: alice, deliverable: aHash(), intentId, manifest: '{}', signature: '0x' }
  await sql`insert into service.submission_content ${sql(content)}`
}
