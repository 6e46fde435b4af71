import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import { statement, toStatementText } from '../../../api/db/statement-text.ts'
import { openTaskFragments } from '../../../api/features/tasks/list/task-fragments.ts'
import { taskColumns, taskTables } from '../../../api/features/tasks/task-row.ts'
import { listTaskRows } from '../../../api/features/tasks/tasks.queries.ts'
import { sharedVersion } from '../../../api/read-model/indexed-head.queries.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { readsOf } from '../read-model/primary-reads.ts'
import { changeColumn, listColumns, removeRows, type SeededTask, seedEveryTable, viewTables } from './every-table.ts'
import { makePage, readPage, storeTask } from './fragment-pages.ts'

let api: TestApi
let task: SeededTask

beforeAll(async () => {
  api = await startTestApi()
  task = await seedEveryTable(api, Object.keys(viewTables))
})
afterAll(() => api.stop())

/** The page by way of what is kept. */
const keptPage = (deps = api.deps) => readPage(deps)

/** The page of another process, which has nothing in memory. */
const storedPage = () =>
  readPage({ ...api.deps, taskFragments: openTaskFragments(api.deps.publicReads, { digest: '' }) })
const store = () => storeTask(api.deps, task.id)
const madePage = () => makePage(api.deps, task.id)

test('the tables of the view are those listed here', async () => {
  const { text } = toStatementText(
    statement`select ${taskColumns(statement)}, ${sharedVersion(statement)} from ${taskTables(statement)} where t.id = ''`,
  )
  const [row] = await api.sql.unsafe(`explain (verbose, format json) ${text.replace("t.id = ''", "t.id <> ''")}`)
  const found = new Set<string>()
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    if ('Relation Name' in node && 'Schema' in node) found.add(`${node.Schema}.${node['Relation Name']}`)
    for (const part of Object.values(node)) visit(part)
  }
  visit(Object.values(row ?? {})[0])
  expect([...found].toSorted()).toEqual(Object.keys(viewTables).toSorted())
})

test('the kept page is the page that the rows make, and costs one statement', async () => {
  const made = await madePage()
  expect(await keptPage()).toBe(made)
  const { sql, count } = countStatements(api.sql)
  expect(await keptPage({ ...api.deps, publicReads: readsOf(sql) })).toBe(made)
  expect(count()).toBe(1)
})

test('whatever value of any row changes, the kept page is the page that the rows make', async () => {
  const seen = new Map<string, number>()
  const shown = new Map<string, number>()
  for (const [table, kind] of Object.entries(viewTables)) {
    for (const column of await listColumns(api.sql, table, kind !== 'version')) {
      // Another id is another task.
      if (table === 'idx_0000000000000000.task' && column.name === 'id') continue
      const before = await keptPage()
      // Fragments in memory and stored ones have the same version of the task, and each what all tasks depend on.
      const isShared = kind === 'version' && !table.endsWith('.task')
      if (isShared) await store()
      const changed = await changeColumn(api.sql, table, { column, isOfEvent: kind === 'event' })
      if (!changed) continue
      seen.set(table, (seen.get(table) ?? 0) + 1)
      const after = await keptPage()
      // The list leaves it out: then there is no view of it.
      if (JSON.parse(after).tasks.length > 0) expect(after, `${table}.${column.name}`).toBe(await madePage())
      if (isShared) expect(await storedPage(), `${table}.${column.name}`).toBe(after)
      if (after !== before) shown.set(table, (shown.get(table) ?? 0) + 1)
      await task.restore(table)
    }
  }
  for (const [table, kind] of Object.entries(viewTables)) {
    if (kind !== 'hidden') expect(seen.get(table) ?? 0, `values of ${table} that were changed`).toBeGreaterThan(0)
    if (kind === 'hidden') expect(shown.get(table) ?? 0, `values of ${table} that were shown`).toBe(0)
  }
  // The values that callers see are among them.
  for (const table of [
    'idx_0000000000000000.task',
    'service.published_keys',
    'market.agent',
    'service.vault_curation',
  ]) {
    expect(shown.get(table) ?? 0, table).toBeGreaterThan(0)
  }
})

test('whatever row goes, the kept page is the page that the rows make', async () => {
  for (const [table, kind] of Object.entries(viewTables)) {
    await keptPage()
    await store()
    if (!(await removeRows(api.sql, table, kind === 'event'))) continue
    const after = await keptPage()
    if (JSON.parse(after).tasks.length > 0) expect(after, table).toBe(await madePage())
    expect(await storedPage(), table).toBe(after)
    // And with the row in its place again: what comes later is shown too.
    await task.restore()
    expect(await keptPage(), table).toBe(await madePage())
  }
})

test('a task without its content is not kept', async () => {
  const requester = anActor().address
  const seeded = await api.seed.task({ requester })
  const rows = await listTaskRows(api.sql.byKey, [seeded.id])
  const [row] = rows
  if (row === undefined) throw new Error('the task is there')
  const fragments = openTaskFragments(api.deps.publicReads, { digest: '' })
  const view = { now: START, serviceName: 'service' }
  const versions = { version: row.version, shared: 'one server' }
  fragments.make({ ...row, description: null }, versions.shared, view)
  expect(fragments.find(row.id, versions, START)).toBeUndefined()
  fragments.make(row, versions.shared, view)
  expect(fragments.find(row.id, versions, START)).toBeDefined()
  expect(fragments.find(row.id, { ...versions, shared: 'another server' }, START)).toBeUndefined()
  expect(fragments.find(row.id, versions, row.expiryTime)).toBeUndefined()
})

test('fragments end with a connection to the database, of either pool', async () => {
  const [row] = await listTaskRows(api.sql.byKey, [task.id])
  if (row === undefined) throw new Error('the task is there')
  const sql = connectDatabase({ url: api.deps.config.DATABASE_URL, max: 1 })
  const fragments = openTaskFragments(readsOf(sql), { digest: '' })
  try {
    for (const pool of [sql, sql.byKey]) {
      fragments.make(row, '', { now: START, serviceName: 'service' })
      expect(fragments.find(row.id, { version: row.version, shared: '' }, START)).toBeDefined()
      await expect(pool`select pg_terminate_backend(pg_backend_pid())`).rejects.toThrow()
      await expect.poll(() => fragments.find(row.id, { version: row.version, shared: '' }, START)).toBeUndefined()
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
})

test('fragments take no more memory than they may', async () => {
  const [row] = await listTaskRows(api.sql.byKey, [task.id])
  if (row === undefined) throw new Error('the task is there')
  const fragments = openTaskFragments(api.deps.publicReads, { digest: '', maxBytes: 20_000 })
  for (let at = 0; at < 50; at += 1) {
    fragments.make({ ...row, id: `0x${String(at)}` }, '', { now: START, serviceName: 'service' })
  }
  const left = Array.from({ length: 50 }, (_, at) => `0x${String(at)}` as const).filter(
    (id) => fragments.find(id, { version: row.version, shared: '' }, START) !== undefined,
  )
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(10)
  expect(left.at(-1)).toBe('0x49')
})
