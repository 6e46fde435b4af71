import { type Address, getAddress, type Hex, keccak256 } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { claimSchema } from '../../../api/features/claims/claims.schemas.ts'
import { feedbackSchema } from '../../../api/features/feedback/list-feedbacks.ts'
import { type Pitch, pitchSchema } from '../../../api/features/pitches/pitches.schemas.ts'
import { type Proof, proofSchema } from '../../../api/features/proofs/proofs.schemas.ts'
import { submissionSchema } from '../../../api/features/submissions/submissions.schemas.ts'
import { anActor } from '../../support/actors.ts'
import { aHash, anIntent, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Claim, pitches, proofs and feedback of a task; `test/api/access/matrix.test.ts` has who sees them. */

const [requester, alice, bob] = [anActor(), anActor(), anActor()]

const api = aStartedApi()
beforeAll(async () => {
  await api.seed.agent(alice.address, { agentId: 7n, completedTasks: 2, ratings: [80, 91] })
})

const aTask = (columns: Partial<TaskColumns> = {}) => api.seed.task({ requester: requester.address, ...columns })
const aPitchTask = (columns: Partial<TaskColumns> = {}) => aTask({ mode: 'pitch', ...columns })
const aBenchmark = (columns: Partial<TaskColumns> = {}) => aTask({ mode: 'benchmark', ...columns })

async function rowsOf<Row>(taskId: Hex, list: string, schema: z.ZodType<Row>): Promise<Row[]> {
  const { status, body } = await api.get(`/api/tasks/${taskId}/${list}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return z.array(schema).parse(body)
}
const pitchesOf = (taskId: Hex): Promise<Pitch[]> => rowsOf(taskId, 'pitches', pitchSchema)
const proofsOf = (taskId: Hex): Promise<Proof[]> => rowsOf(taskId, 'proofs', proofSchema)

describe('the claim of a task', () => {
  test('given a claim with a stake, then it names the transaction of the stake; before, there is none', async () => {
    const task = await aTask({ mode: 'claim', stakeBps: 1000 })
    expect(await api.get(`/api/tasks/${task.id}/claim`)).toMatchObject({ status: 200, body: null })
    const claim = await api.seed.claim(task.id, alice.address, { stakeAmount: 500_000n })
    const { body } = await api.get(`/api/tasks/${task.id}/claim`)
    expect(claimSchema.parse(body)).toEqual({
      id: claim.id,
      taskId: task.id,
      workerAddress: getAddress(alice.address),
      stakeAmount: '500000',
      stakeTxHash: claim.transactionHash,
      claimedAt: new Date(Number(START) * 1000).toISOString(),
      status: 'active',
    })
  })

  test('given several rounds, then it is the newest one’s, without a transaction where it had no stake', async () => {
    const task = await aTask({ mode: 'claim', stakeBps: 1000 })
    await api.seed.claim(task.id, alice.address, { round: 0, status: 'forfeited' })
    await api.seed.claim(task.id, alice.address, { round: 2, status: 'forfeited' })
    await api.seed.claim(task.id, bob.address, { round: 1, status: 'forfeited' })
    expect((await api.get(`/api/tasks/${task.id}/claim`)).body).toMatchObject({
      workerAddress: getAddress(alice.address),
      status: 'forfeited',
      stakeAmount: '0',
      stakeTxHash: null,
      claimedAt: new Date(Number(START + 2n) * 1000).toISOString(),
    })
  })
})

/** A later write of the same pitch, with this outcome; it anchored nothing new. */
async function sendAgain(pitch: { id: Hex; pitchText: string | null }, task: Hex, worker: Address, status: string) {
  const intentId = await anIntent(api.sql, 'pitches.create', status)
  await api.sql`insert into service.pitch_content ${api.sql({
    intentId,
    pitchId: pitch.id,
    taskId: task,
    worker,
    pitchText: pitch.pitchText,
    estimatedDuration: 99_999n,
  })}`
}

describe('the pitches of a task', () => {
  test('come in the order they were anchored, in the promised shape', async () => {
    const task = await aPitchTask()
    const first = await api.seed.pitch(task.id, alice.address, { estimatedDuration: 5400n })
    const second = await api.seed.pitch(task.id, bob.address)
    expect(await pitchesOf(task.id)).toEqual([
      {
        id: first.id,
        taskId: task.id,
        workerAddress: getAddress(alice.address),
        pitchText: first.pitchText,
        estimatedDuration: 1.5,
        status: 'pending',
        submittedAt: '2030-01-01T00:00:00.000Z',
        workerAgentId: '7',
        workerStats: { completedTasks: 2, averageRating: 85.5 },
      },
      {
        id: second.id,
        taskId: task.id,
        workerAddress: getAddress(bob.address),
        pitchText: second.pitchText,
        estimatedDuration: null,
        status: 'pending',
        submittedAt: '2030-01-01T00:00:00.000Z',
        workerAgentId: null,
      },
    ])
  })

  test('have no text when they were made without the service', async () => {
    const task = await aPitchTask()
    const { id } = await api.seed.pitch(task.id, alice.address, { pitchText: null })
    expect(await pitchesOf(task.id)).toMatchObject([{ id, pitchText: '', estimatedDuration: null }])
  })
})

describe('the status of a pitch', () => {
  const worker = alice.address
  test.each<[string, Partial<TaskColumns>, [string, string, string]]>([
    ['while the task is open', {}, ['pending', 'pending', 'pending']],
    ['when a worker is selected', { status: 'worker_selected', worker }, ['selected', 'rejected', 'selected']],
    ['when no worker was selected in the end', { status: 'cancelled' }, ['rejected', 'rejected', 'rejected']],
  ])('%s', async (_name, columns, expected) => {
    const task = await aPitchTask(columns)
    for (const { address } of [alice, bob, alice]) await api.seed.pitch(task.id, address)
    expect((await pitchesOf(task.id)).map(({ status }) => status)).toEqual(expected)
  })
})

describe('what several writes of one pitch said', () => {
  test('is that of the transaction that anchored it, whatever came before or after', async () => {
    const task = await aPitchTask()
    const pitch = await api.seed.pitch(task.id, alice.address, { estimatedDuration: 3600n })
    for (const status of ['failed', 'completed', 'recorded']) await sendAgain(pitch, task.id, alice.address, status)
    expect(await pitchesOf(task.id)).toMatchObject([{ pitchText: pitch.pitchText, estimatedDuration: 1 }])
  })

  test('is nothing when it was anchored without the service first; its text is known all the same', async () => {
    const task = await aPitchTask()
    const pitch = await api.seed.pitch(task.id, alice.address, { pitchText: null })
    await sendAgain({ id: pitch.id, pitchText: 'direct' }, task.id, alice.address, 'failed')
    expect(await pitchesOf(task.id)).toMatchObject([{ pitchText: 'direct', estimatedDuration: null }])
    const { status, body } = await api.get(`/api/tasks/${task.id}/pitches/${pitch.id}/preimage`)
    expect([status, body]).toEqual([200, pitch.preimage])
  })
})

describe('the preimage of a pitch', () => {
  test('of an unknown pitch, of another task’s and of one without text is 404', async () => {
    const [task, other] = [await aPitchTask(), await aPitchTask()]
    const foreign = await api.seed.pitch(other.id, alice.address)
    const direct = await api.seed.pitch(task.id, alice.address, { pitchText: null })
    for (const id of [aHash(), foreign.id, direct.id]) {
      expect((await api.get(`/api/tasks/${task.id}/pitches/${id}/preimage`)).status).toBe(404)
    }
    expect((await api.get(`/api/tasks/${task.id}/pitches/1/preimage`)).status).toBe(400)
  })

  test('of a pitch that is not anchored is 409, below its own task alone', async () => {
    const [task, other] = [await aPitchTask(), await aPitchTask()]
    for (const status of ['recorded', 'failed']) {
      const id = aHash()
      await sendAgain({ id, pitchText: 'under way' }, task.id, alice.address, status)
      const answer = await api.get(`/api/tasks/${task.id}/pitches/${id}/preimage`)
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
      expect((await api.get(`/api/tasks/${other.id}/pitches/${id}/preimage`)).status).toBe(404)
      expect(await pitchesOf(task.id)).toEqual([])
    }
  })
})

describe('the proofs of a benchmark', () => {
  test('come in the order they were anchored, in the promised shape', async () => {
    const task = await aBenchmark()
    const largest = 2n ** 256n - 1n
    const first = await api.seed.proof(task.id, alice.address, { proofType: 'zk', metricValue: largest })
    const second = await api.seed.proof(task.id, bob.address, { proofType: 'unknown', proofData: null })
    const common = { taskId: task.id, status: 'pending', submittedAt: '2030-01-01T00:00:00.000Z' }
    expect(await proofsOf(task.id)).toEqual([
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
    expect(await proofsOf(task.id)).toHaveLength(1)
    expect((await api.get(`/api/tasks/${task.id}/submissions/${proof.id}/manifest`)).status).toBe(404)
  })
})

describe('the status of a proof', () => {
  const statusesOf = async (taskId: Hex) => (await proofsOf(taskId)).map(({ status }) => status)

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
    ['expired', 'rejected'],
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

describe('the feedback of a task', () => {
  test('given the ratings of a task, then they are listed, with and without a text', async () => {
    const task = await aTask()
    const ofAlice = await api.seed.rating(task, alice.address, 95, 'Fine work')
    const ofBob = await api.seed.rating(task, bob.address, 0, null)
    const { body } = await api.get(`/api/tasks/${task.id}/feedbacks`)
    const { feedbacks } = z.object({ feedbacks: z.array(feedbackSchema) }).parse(body)
    const byId = new Map(feedbacks.map((feedback) => [feedback.id, feedback]))
    expect(feedbacks).toHaveLength(2)
    expect(byId.get(ofAlice.id)).toMatchObject({
      taskId: task.id,
      workerAddress: getAddress(alice.address),
      workerAgentId: '7',
      requesterAddress: getAddress(requester.address),
      requesterAgentId: null,
      rating: 95,
      feedbackText: 'Fine work',
    })
    expect(byId.get(ofBob.id)).toMatchObject({ rating: 0, feedbackText: null, workerAgentId: null })
  })

  test('given a feedback hash, then its exact bytes are served', async () => {
    const task = await aTask()
    const { id, feedbackHash } = await api.seed.rating(task, alice.address, 60, 'Okay — ünïcode')
    const response = await api.app.request(`/api/feedback/${id}`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(keccak256(new Uint8Array(await response.arrayBuffer()))).toBe(feedbackHash)
  })

  test('given a feedback without a file, or an unknown one, then 404', async () => {
    const task = await aTask()
    const { id } = await api.seed.rating(task, alice.address, 60, null)
    for (const missing of [id, aHash()]) expect((await api.get(`/api/feedback/${missing}`)).status).toBe(404)
    expect((await api.get('/api/feedback/7')).status).toBe(400)
  })
})
