import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Proof, proofSchema } from '../../../api/features/proofs/proofs.schemas.ts'
import { submissionSchema } from '../../../api/features/submissions/submissions.schemas.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'

const [requester, alice, bob, stranger] = [anActor(), anActor(), anActor(), anActor()]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await api.seed.agent(alice.address, { agentId: 7n })
})
afterAll(() => api.stop())

const aBenchmark = (columns: Partial<TaskColumns> = {}, texts?: Partial<TaskTexts>) =>
  api.seed.task({ requester: requester.address, mode: 'benchmark', ...columns }, texts)

const headersOf = async (caller: Actor | null) => (caller === null ? {} : await readHeadersOf(caller))

async function listOf(taskId: Hex, caller: Actor | null = null, query = ''): Promise<Proof[]> {
  const { status, body } = await api.get(`/api/tasks/${taskId}/proofs${query}`, await headersOf(caller))
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

  test('are read on after one of them', async () => {
    const [task, other] = [await aBenchmark(), await aBenchmark()]
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.push((await api.seed.proof(task.id, alice.address)).id)
    const foreign = await api.seed.proof(other.id, alice.address)
    const pages = [`?limit=2`, `?limit=2&after=${ids[1]}`, `?after=${ids[3]}`, `?after=${ids[4]}`]
    const found = await Promise.all(pages.map((query) => listOf(task.id, null, query)))
    expect(found.map((rows) => rows.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), []])
    for (const query of ['?limit=0', '?limit=1001', '?after=1', `?after=${foreign.id}`]) {
      expect((await api.get(`/api/tasks/${task.id}/proofs${query}`)).status).toBe(400)
    }
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

/** Spec, "Events", submission visibility gating. `worker` is alice, `winner` bob, who both proved. */
const matrix: [TaskTexts['submissionVisibility'], string, Record<Role, string>][] = [
  ['public', 'open', { requester: 'ab', worker: 'ab', winner: 'ab', other: 'ab', anonymous: 'ab' }],
  ['public', 'completed', { requester: 'ab', worker: 'ab', winner: 'ab', other: 'ab', anonymous: 'ab' }],
  ['reveal_all', 'open', { requester: 'ab', worker: 'a', winner: 'b', other: '', anonymous: '' }],
  ['reveal_all', 'completed', { requester: 'ab', worker: 'ab', winner: 'ab', other: 'ab', anonymous: 'ab' }],
  ['reveal_all', 'expired', { requester: 'ab', worker: 'ab', winner: 'ab', other: 'ab', anonymous: 'ab' }],
  ['winner_only', 'open', { requester: 'ab', worker: 'a', winner: 'b', other: '', anonymous: '' }],
  ['winner_only', 'completed', { requester: 'ab', worker: 'ab', winner: 'b', other: 'b', anonymous: 'b' }],
  ['never', 'open', { requester: 'ab', worker: 'a', winner: 'b', other: '', anonymous: '' }],
  ['never', 'completed', { requester: 'ab', worker: 'a', winner: 'b', other: '', anonymous: '' }],
]
type Role = 'requester' | 'worker' | 'winner' | 'other' | 'anonymous'
const callers: Record<Role, Actor | null> = { requester, worker: alice, winner: bob, other: stranger, anonymous: null }

test.each(matrix)('submissionVisibility %s, task %s: who sees what', async (submissionVisibility, status, expected) => {
  const task = await aBenchmark({ status }, { submissionVisibility })
  const proofs = { a: await api.seed.proof(task.id, alice.address), b: await api.seed.proof(task.id, bob.address) }
  if (status === 'completed') await api.seed.award(task.id, bob.address, { deliverable: proofs.b.proofHash })
  for (const [role, caller] of Object.entries(callers) as [Role, Actor | null][]) {
    const seen = await listOf(task.id, caller)
    const names = seen.map(({ id }) => (id === proofs.a.id ? 'a' : 'b')).join('')
    expect([role, names]).toEqual([role, expected[role]])
    for (const name of ['a', 'b'] as const) {
      const path = `/api/tasks/${task.id}/proofs/${proofs[name].id}/preimage`
      const { status: answered } = await api.get(path, await headersOf(caller))
      expect([role, name, answered]).toEqual([role, name, expected[role].includes(name) ? 200 : 404])
    }
  }
})

describe('the preimage of a proof', () => {
  test('is the bytes behind its hash in hex, with the facts to check them by', async () => {
    const task = await aBenchmark()
    const proof = await api.seed.proof(task.id, alice.address, { proofData: '{"runs": 3} 🦀' })
    const { status, body, headers } = await api.get(`/api/tasks/${task.id}/proofs/${proof.id}/preimage`)
    expect([status, body]).toEqual([200, proof.preimage])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-hash-function': 'keccak256',
      'x-preimage-encoding': 'abi-encoded-bytes',
      'x-proof-hash': proof.proofHash,
      'x-submit-tx-hash': proof.transactionHash,
    })
  })

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
