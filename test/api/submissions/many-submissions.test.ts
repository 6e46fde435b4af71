import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../api/server/app.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'

const ENTRIES = 60

let api: TestApi
let taskId: `0x${string}`

beforeAll(async () => {
  api = await startTestApi()
  const task = await api.seed.task({ requester: anActor().address })
  taskId = task.id
  for (let entry = 0; entry < ENTRIES; entry += 1) {
    await api.seed.submission(taskId, anActor().address, { files: ['work.txt', 'sources.zip'] })
  }
})
afterAll(() => api.stop())

test('a task with many submissions lists all of them, with their files, in at most three statements', async () => {
  const { sql, count } = countStatements(api.sql)
  const app = createApp(onDatabase(api.deps, sql))
  const response = await app.request(`/api/tasks/${taskId}/submissions`)
  const rows = (await response.json()) as { artifacts: unknown[] }[]
  expect(rows).toHaveLength(ENTRIES)
  expect(rows.every(({ artifacts }) => artifacts.length === 2)).toBe(true)
  expect(count()).toBeGreaterThan(0)
  expect(count()).toBeLessThanOrEqual(3)
})

test('a page of many tasks takes at most three statements', async () => {
  const requester = anActor().address
  for (let made = 0; made < 30; made += 1) await api.seed.task({ requester })
  const { sql, count } = countStatements(api.sql)
  const response = await createApp(onDatabase(api.deps, sql)).request('/api/tasks?limit=30')
  expect(((await response.json()) as { tasks: unknown[] }).tasks).toHaveLength(30)
  expect(count()).toBeLessThanOrEqual(3)
})
