import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { submissionSchema } from '../../../api/features/submissions/submissions.schemas.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'

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

const listOf = async (taskId: string, caller: Actor | null = null) => {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  return await api.get(`/api/tasks/${taskId}/submissions`, headers)
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

test('an unknown task and a private one answer alike: 404', async () => {
  const secret = await api.seed.task({ requester: requester.address }, { taskVisibility: 'private' })
  const unknown = await listOf(aHash())
  const hidden = await listOf(secret.id, stranger)
  expect(unknown.status).toBe(404)
  expect([hidden.status, hidden.body]).toEqual([404, unknown.body])
  expect((await listOf(secret.id, requester)).status).toBe(200)
})

test('a submission without a manifest, of another task or of none is 404', async () => {
  const [task, other] = [
    await api.seed.task({ requester: requester.address }),
    await api.seed.task({ requester: requester.address }),
  ]
  const direct = await api.seed.submission(task.id, alice.address, { files: null })
  const stored = await api.seed.submission(task.id, alice.address)
  const statusOf = async (taskId: string, id: string) =>
    (await api.get(`/api/tasks/${taskId}/submissions/${id}/manifest`)).status
  expect(await statusOf(task.id, stored.id)).toBe(200)
  for (const [taskId, id] of [
    [task.id, direct.id],
    [other.id, stored.id],
    [task.id, aHash()],
    [aHash(), stored.id],
  ] as const) {
    expect(await statusOf(taskId, id)).toBe(404)
  }
})

test('a task with many submissions lists all of them, with their files, in at most three statements', async () => {
  const { id } = await api.seed.task({ requester: requester.address })
  for (let entry = 0; entry < 30; entry += 1) {
    await api.seed.submission(id, anActor().address, { files: ['work.txt', 'sources.zip'] })
  }
  const { sql, count } = countStatements(api.sql)
  const response = await createApp(onDatabase(api.deps, sql)).request(`/api/tasks/${id}/submissions`)
  const rows = (await response.json()) as { artifacts: unknown[] }[]
  expect(rows.map(({ artifacts }) => artifacts.length)).toEqual(Array(30).fill(2))
  expect(count()).toBeGreaterThan(0)
  expect(count()).toBeLessThanOrEqual(3)
})
