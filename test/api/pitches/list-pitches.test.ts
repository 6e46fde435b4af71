import { randomUUID } from 'node:crypto'
import { type Address, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Pitch, pitchSchema } from '../../../api/features/pitches/pitches.schemas.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import type { TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'

const [requester, alice, bob] = [anActor(), anActor(), anActor()]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await api.seed.agent(alice.address, { agentId: 3n, completedTasks: 2, ratings: [80, 91] })
})
afterAll(() => api.stop())

const aTask = (columns: Partial<TaskColumns> = {}, texts?: Partial<TaskTexts>) =>
  api.seed.task({ requester: requester.address, mode: 'pitch', ...columns }, texts)

async function listOf(taskId: Hex): Promise<Pitch[]> {
  const { status, body } = await api.get(`/api/tasks/${taskId}/pitches`)
  expect(status, JSON.stringify(body)).toBe(200)
  return z.array(pitchSchema).parse(body)
}

/** A later write of the same pitch, with this outcome; it anchored nothing new. */
async function sendAgain(pitch: { id: Hex; pitchText: string | null }, task: Hex, worker: Address, status: string) {
  const intentId = randomUUID()
  await api.sql`insert into service.intents ${api.sql({
    id: intentId,
    idempotencyKey: randomUUID(),
    operation: 'pitches.create',
    fingerprint: Buffer.alloc(32),
    status,
    kind: 'market',
    relayMode: 'paid',
    calldata: '0x',
    chainIntentId: aHash(),
  })}`
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
    const task = await aTask()
    const first = await api.seed.pitch(task.id, alice.address, { estimatedDuration: 5400n })
    const second = await api.seed.pitch(task.id, bob.address)
    expect(await listOf(task.id)).toEqual([
      {
        id: first.id,
        taskId: task.id,
        workerAddress: getAddress(alice.address),
        pitchText: first.pitchText,
        estimatedDuration: 1.5,
        status: 'pending',
        submittedAt: '2030-01-01T00:00:00.000Z',
        workerAgentId: '3',
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
    const task = await aTask()
    const { id } = await api.seed.pitch(task.id, alice.address, { pitchText: null })
    expect(await listOf(task.id)).toMatchObject([{ id, pitchText: '', estimatedDuration: null }])
  })
})

describe('the status of a pitch', () => {
  const worker = alice.address
  test.each<[string, Partial<TaskColumns>, [string, string, string]]>([
    ['while the task is open', {}, ['pending', 'pending', 'pending']],
    ['when a worker is selected', { status: 'worker_selected', worker }, ['selected', 'rejected', 'selected']],
    ['when the worker has delivered', { status: 'pending_approval', worker }, ['selected', 'rejected', 'selected']],
    ['when the worker is paid', { status: 'completed', worker }, ['selected', 'rejected', 'selected']],
    ['when the worker let it expire', { status: 'expired', worker }, ['selected', 'rejected', 'selected']],
    ['when no worker was selected in the end', { status: 'cancelled' }, ['rejected', 'rejected', 'rejected']],
  ])('%s', async (_name, columns, expected) => {
    const task = await aTask(columns)
    for (const { address } of [alice, bob, alice]) await api.seed.pitch(task.id, address)
    expect((await listOf(task.id)).map(({ status }) => status)).toEqual(expected)
  })
})

describe('what several writes of one pitch said', () => {
  test('is that of the transaction that anchored it, whatever came before or after', async () => {
    const task = await aTask()
    const pitch = await api.seed.pitch(task.id, alice.address, { estimatedDuration: 3600n })
    for (const status of ['failed', 'completed', 'recorded']) await sendAgain(pitch, task.id, alice.address, status)
    expect(await listOf(task.id)).toMatchObject([{ pitchText: pitch.pitchText, estimatedDuration: 1 }])
  })

  test('is nothing when it was anchored without the service first; its text is known all the same', async () => {
    const task = await aTask()
    const pitch = await api.seed.pitch(task.id, alice.address, { pitchText: null })
    await sendAgain({ id: pitch.id, pitchText: 'direct' }, task.id, alice.address, 'failed')
    expect(await listOf(task.id)).toMatchObject([{ pitchText: 'direct', estimatedDuration: null }])
    const { status, body } = await api.get(`/api/tasks/${task.id}/pitches/${pitch.id}/preimage`)
    expect([status, body]).toEqual([200, pitch.preimage])
  })
})

describe('the preimage of a pitch', () => {
  test('of an unknown pitch, of another task’s and of one without text is 404', async () => {
    const [task, other] = [await aTask(), await aTask()]
    const foreign = await api.seed.pitch(other.id, alice.address)
    const direct = await api.seed.pitch(task.id, alice.address, { pitchText: null })
    for (const id of [aHash(), foreign.id, direct.id]) {
      expect((await api.get(`/api/tasks/${task.id}/pitches/${id}/preimage`)).status).toBe(404)
    }
    expect((await api.get(`/api/tasks/${task.id}/pitches/1/preimage`)).status).toBe(400)
  })

  test('of a pitch that is not anchored is 409, below its own task alone', async () => {
    const [task, other] = [await aTask(), await aTask()]
    for (const status of ['recorded', 'failed']) {
      const id = aHash()
      await sendAgain({ id, pitchText: 'under way' }, task.id, alice.address, status)
      const answer = await api.get(`/api/tasks/${task.id}/pitches/${id}/preimage`)
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
      expect((await api.get(`/api/tasks/${other.id}/pitches/${id}/preimage`)).status).toBe(404)
      expect(await listOf(task.id)).toEqual([])
    }
  })
})
