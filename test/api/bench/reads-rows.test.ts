import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { createApp } from '../../../api/server/app.ts'
import { listAgentCases } from '../../bench/reads/agent-cases.ts'
import { listCases } from '../../bench/reads/cases.ts'
import { loadRows, NOW } from '../../bench/reads/rows.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { onDatabase } from '../read-model/primary-reads.ts'

let api: TestApi
let database: TestDatabase
let sql: Database

beforeAll(async () => {
  api = await startTestApi()
  database = await createTestDatabase()
  await loadRows(database.url, { tasks: 1_000, agents: 1_000 })
  sql = connectDatabase({ url: database.url, max: 2 })
  api.chain.now = BigInt(NOW)
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
  await api?.stop()
})

test('given the rows of the benchmark, then every case of it is answered, from rows of every kind', async () => {
  const app = createApp(onDatabase(api.deps, sql))
  const empty: string[] = []
  for (const { name, path } of await listCases(sql)) {
    const response = await app.request(path)
    expect(response.status, name).toBe(200)
    const { tasks } = (await response.json()) as { tasks: unknown[] }
    if (tasks.length === 0) empty.push(name)
  }
  // Of a thousand tasks, rare ones may be none.
  expect(empty.length).toBeLessThan(25)
})

test('given its agents, then every case of the leaderboard is answered, and few from no rows', async () => {
  const app = createApp(onDatabase(api.deps, sql))
  const empty: string[] = []
  for (const { name, path } of await listAgentCases(sql)) {
    const response = await app.request(path)
    expect(response.status, name).toBe(200)
    const answer = (await response.json()) as unknown
    if (Array.isArray(answer) && answer.length === 0) empty.push(name)
  }
  expect(empty.filter((name) => !/none|offset/.test(name))).toEqual([])
})

test('given its tasks, then one has 585 submissions with files', async () => {
  const [crowd] = await sql<{ taskId: string }[]>`
    select task_id from submission group by task_id having count(*) = 585`
  const response = await createApp(onDatabase(api.deps, sql)).request(`/api/tasks/${crowd?.taskId}/submissions`)
  const rows = (await response.json()) as { artifacts: unknown[] }[]
  expect(rows).toHaveLength(585)
  expect(rows.every(({ artifacts }) => artifacts.length > 0)).toBe(true)
})
