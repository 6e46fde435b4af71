import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Proof, proofSchema } from '../../../api/features/proofs/proofs.schemas.ts'
import { submissionSchema } from '../../../api/features/submissions/submissions.schemas.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'

const [requester, alice, bob] = [anActor(), anActor(), anActor()]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await api.seed.agent(alice.address, { agentId: 7n })
})
afterAll(() => api.stop())

const aBenchmark = (columns: Partial<TaskColumns> = {}, texts?: Partial<TaskTexts>) =>
  api.seed.task({ requester: requester.address, mode: 'benchmark', ...columns }, texts)

async function listOf(taskId: Hex): Promise<Proof[]> {
  const { status, body } = await api.get(`/api/tasks/${taskId}/proofs`)
  expect(status, JSON.stringify(body)).toBe(200)
  return z.array(proofSchema).parse(body)
}

describe('the proofs of a benchmark', () => {
  test('come in the order they were anchored, in the promised shape', async () => {
    const task = await aBenchmark()
    const largest = 2n ** 256n - 1n
    const first = await api.seed.proof(task.id, alice.address, { proofType: 'zk', metricValue: largest })
    const second = await api.seed.proof(task.id, bob.address, { proofType: 'unknown', proofData: null })
    const common = { taskId: task.id, status: 'pending', submittedAt: '2030-01-01T00:00:00.000Z' }
    expect(await listOf(task.id)).toEqual([
      {
        ...common,
        id: first.id,
        submissionId: first.id,
        workerAddress: getAddress(alice.address),
        proofData: first.proofData,
        proofType: 'zk',
        metricValue: String(largest),
        workerAgentId: '7',
      },
      {
        ...common,
        id: second.id,
        submissionId: second.id,
        workerAddress: getAddress(bob.address),
        proofData: '',
        proofType: 'unknown',
        metricValue: '0',
        workerAgentId: null,
      },
    ])
  })

  test('are submissions without artifacts, among those that have some', async () => {
    const task = await aBenchmark()
    const proof = await api.seed.proof(task.id, alice.address)
    const { id } = await api.seed.submission(task.id, bob.address)
    const { body } = await api.get(`/api/tasks/${task.id}/submissions`)
    expect(z.array(submissionSchema).parse(body)).toMatchObject([
      { id: proof.id, deliverableHash: proof.proofHash, artifacts: [], fileUrl: null, signature: null },
      { id, artifacts: [{}] },
    ])
    expect(await listOf(task.id)).toHaveLength(1)
    expect((await api.get(`/api/tasks/${task.id}/submissions/${proof.id}/manifest`)).status).toBe(404)
  })
})

describe('the status of a proof', () => {
  const statusesOf = async (taskId: Hex) => (await listOf(taskId)).map(({ status }) => status)

  test('is verified when an award is given for it, and rejected when the task ends without one', async () => {
    const task = await aBenchmark()
    await api.seed.proof(task.id, alice.address)
    const best = await api.seed.proof(task.id, alice.address)
    await api.seed.proof(task.id, bob.address)
    expect(await statusesOf(task.id)).toEqual(['pending', 'pending', 'pending'])
    await api.seed.award(task.id, alice.address, { deliverable: best.proofHash })
    expect(await statusesOf(task.id)).toEqual(['rejected', 'verified', 'rejected'])
  })

  test('is rejected with its worker, while others wait', async () => {
    const task = await aBenchmark()
    await api.seed.proof(task.id, alice.address, { rejectedAt: START })
    await api.seed.proof(task.id, bob.address)
    expect(await statusesOf(task.id)).toEqual(['rejected', 'pending'])
  })

  test.each([
    ['appealing', 'pending'],
    ['disputed', 'pending'],
    ['expired', 'rejected'],
    ['cancelled', 'rejected'],
  ])('of a task that is %s is %s', async (status, expected) => {
    const task = await aBenchmark({ status })
    await api.seed.proof(task.id, alice.address)
    expect(await statusesOf(task.id)).toEqual([expected])
  })
})

describe('the preimage of a proof', () => {
  test('of an unknown proof, of another task’s and of one without data is 404', async () => {
    const [task, other] = [await aBenchmark(), await aBenchmark()]
    const foreign = await api.seed.proof(other.id, alice.address)
    const direct = await api.seed.proof(task.id, alice.address, { proofData: null })
    const submission = await api.seed.submission(task.id, bob.address)
    for (const id of [aHash(), foreign.id, direct.id, submission.id]) {
      expect((await api.get(`/api/tasks/${task.id}/proofs/${id}/preimage`)).status).toBe(404)
    }
    expect((await api.get(`/api/tasks/${task.id}/proofs/1/preimage`)).status).toBe(400)
  })
})
