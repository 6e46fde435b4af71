import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

const worker = anActor().address

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const lists = [
  { name: 'submissions', mode: 'bounty', seed: (taskId: `0x${string}`) => api.seed.submission(taskId, worker) },
  { name: 'pitches', mode: 'pitch', seed: (taskId: `0x${string}`) => api.seed.pitch(taskId, worker) },
  { name: 'proofs', mode: 'benchmark', seed: (taskId: `0x${string}`) => api.seed.proof(taskId, worker) },
]

describe.each(lists)('the $name of a task', ({ name, mode, seed }) => {
  test('are read on after one of them, and after none of another task', async () => {
    const aTask = () => api.seed.task({ requester: anActor().address, mode })
    const [task, other] = [await aTask(), await aTask()]
    const read = (query: string) => api.get(`/api/tasks/${task.id}/${name}${query}`)
    const foreign = await seed(other.id)
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.push((await seed(task.id)).id)
    const pages = await Promise.all(
      ['?limit=2', `?limit=2&after=${ids[1]}`, `?after=${ids[3]}`, `?after=${ids[4]}`].map(read),
    )
    expect(pages.map(({ body }) => body.map(({ id }: { id: string }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
      [],
    ])
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after=1', `after=${foreign.id}`]) {
      const { status, body } = await read(`?${query}`)
      expect([query, status, body.issues[0].path]).toEqual([query, 400, query.split('=')[0]])
    }
  })
})
