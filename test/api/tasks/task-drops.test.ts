import { describe, expect, test } from 'vitest'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskTexts } from '../../support/rows/task-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'

const [requester, stranger] = [anActor(), anActor()]

const api = aStartedApi()

type Visibility = TaskTexts['taskVisibility']

/** A task of the requester in a drop, on chain. */
async function aMember(dropId: string, taskVisibility: Visibility = 'public', columns: object = {}) {
  const task = await api.seed.task({ requester: requester.address, ...columns }, { taskVisibility })
  await api.seed.dropMember(dropId, task, taskVisibility)
  return task.id
}

const shownDrops = async (): Promise<string[]> =>
  (await api.get('/api/task-drops?limit=100')).body.taskDrops.map(({ id }: { id: string }) => id)
const idsOf = (body: { tasks: { id: string }[] }) => body.tasks.map(({ id }) => id)
const tasksOf = async (dropId: string) => idsOf((await api.get(`/api/task-drops/${dropId}`)).body)
const statusOf = async (dropId: string, as?: Actor) =>
  (await api.get(`/api/task-drops/${dropId}`, as && (await readHeadersOf(as)))).status

describe('a drop', () => {
  test('is shown with its public tasks, newest first', async () => {
    const dropId = await api.seed.drop(requester.address, { name: 'Autumn', description: 'Leaves' })
    const [first, second] = [await aMember(dropId), await aMember(dropId)]
    const { status, body } = await api.get(`/api/task-drops/${dropId.toUpperCase()}`)
    expect(status).toBe(200)
    const { tasks, ...drop } = body
    expect(drop).toEqual({
      id: dropId,
      ownerAddress: requester.account.address,
      name: 'Autumn',
      description: 'Leaves',
      createdAt: new Date(Number(START) * 1000).toISOString(),
      nextCursor: null,
      hasMore: false,
    })
    expect(idsOf(body)).toEqual([second, first])
    expect(tasks[0]).toMatchObject({ taskDropId: dropId, taskDrop: { id: dropId, name: 'Autumn' } })
    expect(idsOf((await api.get(`/api/tasks?taskDropId=${dropId}`)).body)).toEqual([second, first])
  })

  test('whose write has not reached the chain, or never will, is nowhere', async () => {
    const dropId = await api.seed.drop(requester.address)
    await api.seed.dropMember(dropId, { requester: requester.address, createdContentHash: aHash() })
    expect(await shownDrops()).not.toContain(dropId)
    expect(await statusOf(dropId)).toBe(404)
    expect(await statusOf(dropId, requester)).toBe(404)
  })

  test.each<[Visibility, { listed: boolean; stranger: number; owner: number }]>([
    ['public', { listed: true, stranger: 200, owner: 200 }],
    ['unlisted', { listed: false, stranger: 200, owner: 200 }],
    ['private', { listed: false, stranger: 404, owner: 200 }],
  ])('of one %s task', async (visibility, expected) => {
    const dropId = await api.seed.drop(requester.address)
    const taskId = await aMember(dropId, visibility)
    expect((await shownDrops()).includes(dropId)).toBe(expected.listed)
    expect(await statusOf(dropId)).toBe(expected.stranger)
    expect(await statusOf(dropId, stranger)).toBe(expected.stranger)
    expect(await statusOf(dropId, requester)).toBe(expected.owner)
    const filtered = idsOf((await api.get(`/api/tasks?taskDropId=${dropId}`)).body)
    expect(filtered).toEqual(visibility === 'public' ? [taskId] : [])
    if (expected.stranger === 200) expect(await tasksOf(dropId)).toEqual(filtered)
  })

  test('leaves its unlisted and private tasks out, which name it themselves', async () => {
    const dropId = await api.seed.drop(requester.address, { name: 'Mixed' })
    const shown = await aMember(dropId)
    const [unlisted, hidden] = [await aMember(dropId, 'unlisted'), await aMember(dropId, 'private')]
    expect(await tasksOf(dropId)).toEqual([shown])
    expect((await api.get(`/api/tasks/${unlisted}`)).body.taskDrop).toEqual({ id: dropId, name: 'Mixed' })
    expect((await api.get(`/api/tasks/${hidden}`)).body).toBeNull()
    const own = await api.get(`/api/tasks/${hidden}`, await readHeadersOf(requester))
    expect(own.body.taskDrop).toEqual({ id: dropId, name: 'Mixed' })
  })

  test('keeps a task whose texts were updated', async () => {
    const dropId = await api.seed.drop(requester.address)
    const [createdContentHash, contentHash] = [aHash(), aHash()]
    const taskId = await aMember(dropId, 'public', { createdContentHash, contentHash })
    expect(await tasksOf(dropId)).toEqual([taskId])
    expect((await api.get(`/api/tasks/${taskId}`)).body.taskDropId).toBe(dropId)
  })

  test('loses a task that got texts the service does not know', async () => {
    const dropId = await api.seed.drop(requester.address)
    const task = await api.seed.task({ requester: requester.address, createdContentHash: aHash() }, null)
    await api.seed.dropMember(dropId, task)
    expect(await shownDrops()).not.toContain(dropId)
    expect(await tasksOf(dropId)).toEqual([])
  })

  test('is not entered by copying the hash of one of its tasks', async () => {
    const dropId = await api.seed.drop(requester.address)
    const task = await api.seed.task({ requester: requester.address })
    await api.seed.dropMember(dropId, task)
    const { contentHash } = task
    const copy = await api.seed.task({ requester: stranger.address, contentHash })
    expect(await tasksOf(dropId)).toEqual([task.id])
    expect((await api.get(`/api/tasks/${copy.id}`)).body).toMatchObject({ taskDropId: null, taskDrop: null })
  })
})

describe('pages', () => {
  test('of drops follow each other, whatever their size, and skip what is not shown', async () => {
    const made: string[] = []
    for (const visibility of ['public', 'private', 'public', 'unlisted', 'public', 'public'] as const) {
      const dropId = await api.seed.drop(requester.address)
      await aMember(dropId, visibility)
      if (visibility === 'public') made.unshift(dropId)
    }
    const all = await shownDrops()
    expect(all.slice(0, made.length)).toEqual(made)
    for (const limit of [1, 3]) {
      expect(await readPages(`/api/task-drops?limit=${limit}`, (body) => body.taskDrops)).toEqual(all)
    }
  })

  test('of a drop’s tasks follow each other, whatever their size', async () => {
    const dropId = await api.seed.drop(requester.address)
    const made: string[] = []
    for (let index = 0; index < 5; index += 1) made.unshift(await aMember(dropId))
    for (const limit of [2, 5]) {
      expect(await readPages(`/api/task-drops/${dropId}?limit=${limit}`, (body) => body.tasks)).toEqual(made)
    }
  })

  async function readPages(path: string, rowsOf: (body: Answer['body']) => { id: string }[]) {
    const ids: string[] = []
    let cursor = ''
    do {
      const { body } = await api.get(`${path}${cursor}`)
      expect(body.hasMore).toBe(body.nextCursor !== null)
      ids.push(...rowsOf(body).map(({ id }) => id))
      cursor = body.hasMore ? `&cursor=${encodeURIComponent(body.nextCursor)}` : ''
    } while (cursor !== '')
    return ids
  }

  test.each(['/task-drops?limit=101', '/task-drops?cursor=unknown', '/task-drops/x?cursor=unknown'])(
    'of %s are refused',
    async (path) => {
      expect((await api.get(`/api${path}`)).status).toBe(400)
    },
  )

  test('of an unknown drop are not found', async () => {
    expect((await api.get('/api/task-drops/unknown')).status).toBe(404)
    expect((await api.get('/api/tasks?taskDropId=unknown')).body).toEqual({
      tasks: [],
      nextCursor: null,
      hasMore: false,
    })
  })
})
