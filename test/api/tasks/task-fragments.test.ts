import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import { statement, toStatementText } from '../../../api/db/statement-text.ts'
import { openTaskFragments } from '../../../api/features/tasks/list/task-fragments.ts'
import { readTaskPage, toPageText } from '../../../api/features/tasks/list/task-page.ts'
import { taskColumns, taskTables } from '../../../api/features/tasks/task-row.ts'
import { toTasks } from '../../../api/features/tasks/tasks.mapper.ts'
import { listTaskRows } from '../../../api/features/tasks/tasks.queries.ts'
import { sharedVersion } from '../../../api/read-model/indexed-head.queries.ts'
import { toJsonText } from '../../../api/text/json-text.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { readsOf } from '../read-model/primary-reads.ts'
import { changeColumn, listColumns, removeRows, type SeededTask, seedEveryTable } from './every-table.ts'

/**
 * What the view of a task is made of, and what makes its fragment another when a row changes. `event`: a handler of an
 * event of the task, which writes the task's row in the same block. `version`: the row itself, by `taskVersion` or
 * `sharedVersion`. `hidden`: the view shows none of it to all callers.
 */
const tables = {
  'market.award': 'event',
  'market.evaluation': 'event',
  'market.hook_set': 'event',
  'market.pitch': 'event',
  'market.task_entry': 'event',
  'market.verdict_award': 'event',
  'market.agent': 'version',
  'market.indexed_head': 'version',
  'market.market_config': 'version',
  'market.sponsored_vault': 'version',
  'market.vault_charge': 'version',
  'idx_0000000000000000.task': 'version',
  'service.content_changes': 'version',
  'service.published_keys': 'version',
  'service.task_access': 'version',
  'service.task_content': 'version',
  'service.task_drop_members': 'version',
  'service.task_drops': 'version',
  'service.vault_curation': 'version',
  'market.bid': 'hidden',
  'market.claim': 'hidden',
  'market.relayed_intent': 'hidden',
  'market.task_event': 'hidden',
  'service.intents': 'hidden',
  'service.task_viewers': 'hidden',
} as const satisfies Record<string, 'event' | 'version' | 'hidden'>

let api: TestApi
let task: SeededTask

beforeAll(async () => {
  api = await startTestApi()
  task = await seedEveryTable(api, Object.keys(tables))
})
afterAll(() => api.stop())

const options = { order: 'newest', limit: 20, now: START } as const

/** The page by way of what is kept. */
const keptPage = async (deps = api.deps) => toPageText(await readTaskPage(deps, {}, options)).text

/** The page as it is made of the rows, without anything kept. */
async function madePage(): Promise<string> {
  const rows = await listTaskRows(api.sql.byKey, [task.id])
  return toJsonText({
    tasks: toTasks(rows, { now: START, serviceName: api.deps.config.SERVICE_NAME }),
    nextCursor: null,
    hasMore: false,
  })
}

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
  expect([...found].toSorted()).toEqual(Object.keys(tables).toSorted())
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
  for (const [table, kind] of Object.entries(tables)) {
    for (const column of await listColumns(api.sql, table)) {
      // Another id is another task.
      if (table === 'idx_0000000000000000.task' && column.name === 'id') continue
      const before = await keptPage()
      const changed = await changeColumn(api.sql, table, { column, isOfEvent: kind === 'event' })
      if (!changed) continue
      seen.set(table, (seen.get(table) ?? 0) + 1)
      const after = await keptPage()
      // The list leaves it out: then there is no view of it.
      if (JSON.parse(after).tasks.length > 0) expect(after, `${table}.${column.name}`).toBe(await madePage())
      if (after !== before) shown.set(table, (shown.get(table) ?? 0) + 1)
      await task.restore(table)
    }
  }
  for (const [table, kind] of Object.entries(tables)) {
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
  for (const [table, kind] of Object.entries(tables)) {
    await keptPage()
    if (!(await removeRows(api.sql, table, kind === 'event'))) continue
    const after = await keptPage()
    if (JSON.parse(after).tasks.length > 0) expect(after, table).toBe(await madePage())
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
  const fragments = openTaskFragments(api.deps.publicReads)
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
  const fragments = openTaskFragments(readsOf(sql))
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
  const fragments = openTaskFragments(api.deps.publicReads, 20_000)
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
