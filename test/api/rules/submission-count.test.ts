import type { Address, Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { countSubmissions, lockSubmissions } from '../../../api/read-model/submission-count.queries.ts'
import { anActor } from '../../support/actors.ts'
import type { TestApi } from '../../support/api.ts'
import { aHash, anIntent } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const [requester, alice, bob] = [anActor().address, anActor().address, anActor().address]

const api = aStartedApi()
let taskId: `0x${string}`
beforeEach(async () => {
  taskId = (await api.seed.task({ requester })).id
})

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
      await aBoundSubmission('recorded', { sql: tx as unknown as TestApi['sql'] })
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

test('given free ones of several workers, then the task counts those of its own that were signed, until they fail', async () => {
  await aBoundSubmission('recorded')
  await aBoundSubmission('broadcast', { worker: bob })
  await aBoundSubmission('completed', { worker: bob })
  await aBoundSubmission('failed')
  await aBoundSubmission('held')
  await aBoundSubmission('completed', { mode: 'paid' })
  await aBoundSubmission('recorded', { task: (await api.seed.task({ requester })).id })
  expect((await countSubmissions(api.sql, taskId, alice)).freeOfTask).toBe(3)
  expect((await countSubmissions(api.sql, taskId, requester)).freeOfTask).toBe(3)
})

test('given direct submissions and proofs, then none of them is free of the task', async () => {
  await api.seed.submission(taskId, alice, { files: null })
  await aBoundProof('completed')
  expect((await countSubmissions(api.sql, taskId, alice)).freeOfTask).toBe(0)
})

async function aBoundProof(status: string): Promise<void> {
  const intentId = await anIntent(api.sql, 'proofs.create', status)
  const content = { proofId: aHash(), taskId, worker: alice, intentId, proofData: 'x' }
  await api.sql`insert into service.proof_content ${api.sql(content)}`
}

interface BoundSubmission {
  worker: Address
  task: Hex
  mode: 'signed' | 'paid'
  sql: TestApi['sql']
}

async function aBoundSubmission(status: string, chosen: Partial<BoundSubmission> = {}): Promise<void> {
  const { worker, task, mode, sql } = { worker: alice, task: taskId, mode: 'signed' as const, sql: api.sql, ...chosen }
  const intentId = await anIntent(sql, 'submissions.create', status)
  await sql`update service.intents set relay_mode = ${mode} where id = ${intentId}`
  const content = { taskId: task, worker, deliverable: aHash(), intentId, manifest: '{}', signature: '0x' }
  await sql`insert into service.submission_content ${sql(content)}`
}
