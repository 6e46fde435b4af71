import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { submissionSchema } from '../../../api/features/submissions/submissions.schemas.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskTexts } from '../../support/rows/task-rows.ts'

const requester = anActor()
const alice = anActor()
const bob = anActor()
const stranger = anActor()

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await api.seed.agent(alice.address, { agentId: 3n, completedTasks: 2, ratings: [80, 90] })
})
afterAll(() => api.stop())

const listOf = async (taskId: string, caller: Actor | null = null, query = '') => {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  return await api.get(`/api/tasks/${taskId}/submissions${query}`, headers)
}

test('lists submissions in the order they were committed, in the promised shape', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const first = await api.seed.submission(task.id, alice.address, { files: ['poem.txt', 'sources.zip'] })
  const second = await api.seed.submission(task.id, bob.address, { files: null, rejectedAt: START + 5n })
  const { status, body } = await listOf(task.id)
  expect(status).toBe(200)
  const [one, two] = z.array(submissionSchema).length(2).parse(body)
  expect(one).toMatchObject({
    id: first.id,
    taskId: task.id,
    workerAddress: getAddress(alice.address),
    workerAgentId: '3',
    deliverableHash: first.deliverable,
    rejectedAt: null,
    signature: null,
    workerStats: { completedTasks: 2, ratedTasks: 2, totalStars: 170, averageRating: 85 },
    artifacts: [
      { fileName: 'poem.txt', role: 'final', mediaKind: 'text', displayOrder: 0, textPreview: 'text' },
      { fileName: 'sources.zip', role: 'attachment', mediaKind: 'archive', displayOrder: 1 },
    ],
  })
  expect(one?.artifacts[0]?.storageUri).toBe(`artifact:${first.artifactIds[0]}`)
  expect(one?.artifacts[0]?.previewUrl).toContain(`/api/artifacts/${first.artifactIds[0]}?expires=`)
  expect(one?.artifacts[1]).not.toHaveProperty('previewUrl')
  expect(one?.fileUrl).toBe(one?.artifacts[0]?.previewUrl)
  expect(two).toMatchObject({
    id: second.id,
    rejectedAt: '2030-01-01T00:00:05.000Z',
    artifacts: [],
    fileUrl: null,
    workerStats: null,
  })
})

test('shows a signature to its signer alone', async () => {
  const task = await api.seed.task({ requester: requester.address })
  await api.seed.submission(task.id, alice.address)
  const signatureFor = async (caller: Actor | null) => (await listOf(task.id, caller)).body[0].signature
  expect(await signatureFor(alice)).toBe('0x5165')
  for (const caller of [requester, bob, null]) expect(await signatureFor(caller)).toBeNull()
})

test('files stay with the worker who stored them, when another commits the same hash', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const { deliverable, artifactIds } = await api.seed.submission(task.id, alice.address)
  const copy = await api.seed.submission(task.id, bob.address, { files: null })
  await api.sql`update submission set deliverable = ${deliverable} where id = ${copy.id}`
  const { body } = await listOf(task.id)
  expect(body.map((row: { artifacts: { id: string }[] }) => row.artifacts.map(({ id }) => id))).toEqual([
    artifactIds,
    [],
  ])
})

test('reads on after a submission', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) ids.push((await api.seed.submission(task.id, alice.address)).id)
  const pages = await Promise.all([
    listOf(task.id, null, '?limit=2'),
    listOf(task.id, null, `?limit=2&after=${ids[1]}`),
    listOf(task.id, null, `?after=${ids[3]}`),
    listOf(task.id, null, `?after=${ids[4]}`),
  ])
  expect(pages.map(({ body }) => body.map((row: { id: string }) => row.id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2, 4),
    ids.slice(4),
    [],
  ])
})

test('reads on after nothing that is a submission of another task', async () => {
  const [task, other] = [
    await api.seed.task({ requester: requester.address }),
    await api.seed.task({ requester: requester.address }),
  ]
  const foreign = await api.seed.submission(other.id, alice.address)
  for (let index = 0; index < 2; index += 1) await api.seed.submission(task.id, alice.address)
  expect(await listOf(task.id, null, `?after=${foreign.id}`)).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'after' }] },
  })
})

/** Spec, "Events", submission visibility gating. `worker` is alice, `winner` bob, who both submitted. */
const matrix: [
  TaskTexts['submissionVisibility'],
  string,
  Record<'requester' | 'worker' | 'winner' | 'other', string>,
][] = [
  ['public', 'open', { requester: 'ab', worker: 'ab', winner: 'ab', other: 'ab' }],
  ['public', 'completed', { requester: 'ab', worker: 'ab', winner: 'ab', other: 'ab' }],
  ['reveal_all', 'open', { requester: 'ab', worker: 'a', winner: 'b', other: '' }],
  ['reveal_all', 'completed', { requester: 'ab', worker: 'ab', winner: 'ab', other: 'ab' }],
  ['reveal_all', 'expired', { requester: 'ab', worker: 'ab', winner: 'ab', other: 'ab' }],
  ['reveal_all', 'cancelled', { requester: 'ab', worker: 'a', winner: 'b', other: '' }],
  ['winner_only', 'open', { requester: 'ab', worker: 'a', winner: 'b', other: '' }],
  ['winner_only', 'completed', { requester: 'ab', worker: 'ab', winner: 'b', other: 'b' }],
  ['never', 'open', { requester: 'ab', worker: 'a', winner: 'b', other: '' }],
  ['never', 'completed', { requester: 'ab', worker: 'a', winner: 'b', other: '' }],
  ['never', 'expired', { requester: 'ab', worker: 'a', winner: 'b', other: '' }],
]

test.each(matrix)('submissionVisibility %s, task %s: who sees what', async (submissionVisibility, status, expected) => {
  const task = await api.seed.task({ requester: requester.address, status }, { submissionVisibility })
  const ofAlice = await api.seed.submission(task.id, alice.address)
  const ofBob = await api.seed.submission(task.id, bob.address)
  if (status === 'completed') await api.seed.award(task.id, bob.address)
  const names = new Map([
    [ofAlice.id, 'a'],
    [ofBob.id, 'b'],
  ])
  const callers = { requester, worker: alice, winner: bob, other: stranger }
  for (const part of ['requester', 'worker', 'winner', 'other'] as const) {
    const { body } = await listOf(task.id, callers[part])
    expect(body.map((row: { id: `0x${string}` }) => names.get(row.id)).join('')).toBe(expected[part])
    const headers = await readHeadersOf(callers[part])
    for (const submission of [ofAlice, ofBob]) {
      const visible = expected[part].includes(names.get(submission.id) ?? '-')
      const manifest = await api.get(`/api/tasks/${task.id}/submissions/${submission.id}/manifest`, headers)
      expect(manifest.status).toBe(visible ? 200 : 404)
      const preview = await api.get(`/api/tasks/${task.id}/artifacts/${submission.artifactIds[0]}/preview`, headers)
      expect(preview.status).toBe(visible ? 200 : 404)
    }
  }
  const anonymous = await listOf(task.id)
  expect(anonymous.body.length).toBe(expected.other.length)
})

test('an unknown task and a private one answer alike: 404', async () => {
  const secret = await api.seed.task({ requester: requester.address }, { taskVisibility: 'private' })
  const unknown = await listOf(aHash())
  const hidden = await listOf(secret.id, stranger)
  expect(unknown.status).toBe(404)
  expect([hidden.status, hidden.body]).toEqual([404, unknown.body])
  expect((await listOf(secret.id, requester)).status).toBe(200)
})

test.each(['?limit=0', '?limit=1001', '?after=1', '?limit=x'])('refuses %s', async (query) => {
  const task = await api.seed.task({ requester: requester.address })
  expect((await listOf(task.id, null, query)).status).toBe(400)
})
