import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { workItemSchema } from '../../../api/features/agents/list-work.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import type { TaskTexts } from '../../support/rows/task-rows.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'

const requester = anActor()
const stranger = anActor()

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const workOf = async (worker: Actor, caller: Actor | null = null, query = '') => {
  const headers = caller === null ? {} : await readHeadersOf(caller)
  const { status, body } = await api.get(`/api/agents/${worker.account.address}/work${query}`, headers)
  expect(status).toBe(200)
  return z.array(workItemSchema).parse(body)
}

/** A settled task with an award of the worker, and its deliverable. */
async function aWork(worker: Actor, { texts = {}, ...award }: Work = {}) {
  const task = await api.seed.task({ requester: requester.address }, texts)
  const delivery = await api.seed.submission(task.id, worker.address, { files: award.files ?? ['work.txt'] })
  await api.seed.award(task.id, worker.address, { ...award, deliverable: delivery.deliverable })
  return { taskId: task.id, ...delivery }
}
interface Work {
  texts?: Partial<TaskTexts> | null
  files?: string[]
  rank?: number
  rating?: number
  settledAt?: bigint
}

async function setKinds(artifactIds: string[], kinds: string[]): Promise<void> {
  for (const [index, kind] of kinds.entries()) {
    await api.sql`update service.artifacts set media_kind = ${kind} where id = ${artifactIds[index] ?? ''}`
  }
}

test('given awards, then they are listed newest first, rated or not and of any rank, with the awarded files', async () => {
  const alice = anActor()
  await api.seed.agent(alice.address, { agentId: 12n })
  const first = await aWork(alice, { rating: 90, texts: { description: `${'x'.repeat(90)}\nmore` } })
  const second = await aWork(alice, { rank: 2, settledAt: START + 5n })
  // Another submission to the task was not awarded.
  await api.seed.submission(second.taskId, alice.address, { files: ['other.txt'] })
  await aWork(anActor())
  const items = await workOf(alice)
  expect(items).toMatchObject([
    {
      taskId: second.taskId,
      taskTitle: 'Write a haiku about escrow',
      completedAt: '2030-01-01T00:00:05.000Z',
      artifacts: [{ id: second.artifactIds[0], submissionId: second.id, fileName: 'work.txt', workerAgentId: '12' }],
    },
    { taskId: first.taskId, taskTitle: 'x'.repeat(80), completedAt: '2030-01-01T00:00:00.000Z' },
  ])
  expect(items.map(({ artifacts }) => artifacts.length)).toEqual([1, 1])
})

test('given a split, then every recipient has an item with their own files', async () => {
  const [alice, bob] = [anActor(), anActor()]
  const { taskId, artifactIds } = await aWork(alice)
  const ofBob = await api.seed.submission(taskId, bob.address)
  await api.seed.award(taskId, bob.address, { rank: 2, deliverable: ofBob.deliverable })
  const filesOf = async (worker: Actor) =>
    (await workOf(worker)).flatMap(({ artifacts }) => artifacts.map(({ id }) => id))
  expect([await filesOf(alice), await filesOf(bob)]).toEqual([artifactIds, ofBob.artifactIds])
})

test.each([
  ['', ['image', 'video', 'audio']],
  ['?includePreviewUrls=media', ['image', 'video', 'audio']],
  ['?includePreviewUrls=none', []],
])('given %j, then the kinds with URLs are %j', async (query, kinds) => {
  const alice = anActor()
  const all = ['image', 'video', 'audio', 'pdf', 'text', 'archive', 'unknown']
  const { artifactIds } = await aWork(alice, { files: all.map((_, index) => `${index}.txt`) })
  await setKinds(artifactIds, all)
  const [item] = await workOf(alice, null, query)
  const withUrl = item?.artifacts.filter(({ previewUrl, previewExpiresAt }) => previewUrl && previewExpiresAt)
  expect(withUrl?.map(({ mediaKind }) => mediaKind)).toEqual(kinds)
  expect(item?.artifacts.filter(({ previewUrl }) => previewUrl === undefined)).toHaveLength(all.length - kinds.length)
})

test('given an award of a task that the caller must not see, then it is listed without title and files', async () => {
  const alice = anActor()
  await aWork(alice, { texts: { taskVisibility: 'private' } })
  await aWork(alice, { texts: { taskVisibility: 'unlisted' } })
  await aWork(alice, { texts: { submissionVisibility: 'never' } })
  await aWork(alice, { texts: null })
  const shown = async (caller: Actor | null) =>
    (await workOf(alice, caller)).map(({ taskTitle, artifacts }) => [taskTitle !== null, artifacts.length]).sort()
  // The last one has no text for any caller; the service knows who stored its files.
  expect(await shown(alice)).toEqual([
    [false, 1],
    [true, 1],
    [true, 1],
    [true, 1],
  ])
  expect(await shown(requester)).toEqual([
    [false, 1],
    [true, 1],
    [true, 1],
    [true, 1],
  ])
  for (const caller of [stranger, null])
    expect(await shown(caller)).toEqual([
      [false, 0],
      [false, 0],
      [false, 0],
      [true, 0],
    ])
})

test('given any limit, then it is twelve by default and fifty at most, in four statements', async () => {
  const alice = anActor()
  const tasks: Hex[] = []
  for (let index = 0n; index < 60n; index += 1n) tasks.push((await aWork(alice, { settledAt: START + index })).taskId)
  const newest = tasks.toReversed()
  expect((await workOf(alice)).map(({ taskId }) => taskId)).toEqual(newest.slice(0, 12))
  const { sql, count } = countStatements(api.sql)
  const response = await createApp(onDatabase(api.deps, sql)).request(`/api/agents/${alice.address}/work?limit=50`)
  expect(((await response.json()) as { taskId: Hex }[]).map(({ taskId }) => taskId)).toEqual(newest.slice(0, 50))
  expect(count()).toBeLessThanOrEqual(4)
})

test.each(['?limit=0', '?limit=51', '?includePreviewUrls=all'])('given %s, then it is refused', async (query) => {
  expect((await api.get(`/api/agents/${stranger.address}/work${query}`)).status).toBe(400)
})

test('given an unknown address, then the list is empty; given an agent id, then it is no address', async () => {
  expect(await workOf(anActor())).toEqual([])
  expect((await api.get('/api/agents/12/work')).status).toBe(400)
})
