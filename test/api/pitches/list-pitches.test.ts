import { randomUUID } from 'node:crypto'
import { type Address, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Pitch, pitchSchema } from '../../../api/features/pitches/pitches.schemas.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import type { TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'

const [requester, alice, bob, stranger] = [anActor(), anActor(), anActor(), anActor()]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await api.seed.agent(alice.address, { agentId: 3n, completedTasks: 2, ratings: [80, 91] })
})
afterAll(() => api.stop())

const aTask = (columns: Partial<TaskColumns> = {}, texts?: Partial<TaskTexts>) =>
  api.seed.task({ requester: requester.address, mode: 'pitch', ...columns }, texts)

async function listOf(taskId: Hex, query = ''): Promise<Pitch[]> {
  const { status, body } = await api.get(`/api/tasks/${taskId}/pitches${query}`)
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

  test('are read on after one of them', async () => {
    const [task, other] = [await aTask(), await aTask()]
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.push((await api.seed.pitch(task.id, alice.address)).id)
    const foreign = await api.seed.pitch(other.id, alice.address)
    const pages = [`?limit=2`, `?limit=2&after=${ids[1]}`, `?after=${ids[3]}`, `?after=${ids[4]}`]
    const found = await Promise.all(pages.map((query) => listOf(task.id, query)))
    expect(found.map((rows) => rows.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), []])
    for (const query of ['?limit=0', '?limit=1001', '?after=1', `?after=${foreign.id}`]) {
      expect((await api.get(`/api/tasks/${task.id}/pitches${query}`)).status).toBe(400)
    }
  })

  test('are for every caller who may see the task, and for no other', async () => {
    const task = await aTask({}, { taskVisibility: 'private', submissionVisibility: 'never' })
    const { id } = await api.seed.pitch(task.id, alice.address)
    for (const path of [`/api/tasks/${task.id}/pitches`, `/api/tasks/${task.id}/pitches/${id}/preimage`]) {
      expect((await api.get(path)).status).toBe(404)
      expect((await api.get(path, await readHeadersOf(stranger))).status).toBe(404)
      expect((await api.get(path, await readHeadersOf(requester))).status).toBe(200)
    }
    expect((await api.get(`/api/tasks/${aHash()}/pitches`)).status).toBe(404)
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
  test('is the bytes behind its hash in hex, with the facts to check them by', async () => {
    const task = await aTask()
    const pitch = await api.seed.pitch(task.id, alice.address, { pitchText: '二 🦀 \u0301' })
    const { status, body, headers } = await api.get(`/api/tasks/${task.id}/pitches/${pitch.id}/preimage`)
    expect([status, body]).toEqual([200, pitch.preimage])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-hash-function': 'keccak256',
      'x-preimage-encoding': 'abi-encoded-bytes',
      'x-pitch-hash': pitch.pitchHash,
      'x-submit-tx-hash': pitch.transactionHash,
    })
  })

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
