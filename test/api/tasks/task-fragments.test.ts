import { beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import { statement, toStatementText } from '../../../api/db/statement-text.ts'
import { createFragmentsRun } from '../../../api/features/tasks/list/store-fragments.ts'
import { deleteUselessFragments, storeFragments } from '../../../api/features/tasks/list/stored-fragments.queries.ts'
import { isStorable, openTaskFragments } from '../../../api/features/tasks/list/task-fragments.ts'
import { taskColumns, taskTables } from '../../../api/features/tasks/task-row.ts'
import { listTaskRows } from '../../../api/features/tasks/tasks.queries.ts'
import { sharedVersion } from '../../../api/read-model/indexed-head.queries.ts'
import { createSeededRandom } from '../../bench/figures/statistics.ts'
import { anActor } from '../../support/actors.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { readsOf } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { changeColumn, listColumns, removeRows, type SeededTask, seedEveryTable, viewTables } from './every-table.ts'
import { makePage, readPage, storeTask } from './fragment-pages.ts'

const api = aStartedApi()
let task: SeededTask

beforeAll(async () => {
  task = await seedEveryTable(api, Object.keys(viewTables))
})

/** The page by way of what is kept. */
const keptPage = (deps = api.deps) => readPage(deps)

/** The page of another process, which has nothing in memory. */
const storedPage = () =>
  readPage({ ...api.deps, taskFragments: openTaskFragments(api.deps.publicReads, { digest: '' }) })
const store = () => storeTask(api.deps, task.id)
const TASK = 'idx_0000000000000000.task'
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
  await task.restore()
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

const findRow = async () => {
  const [row] = await listTaskRows(api.sql.byKey, [task.id])
  if (row === undefined) throw new Error('the task is there')
  return row
}

/** The page of a process that has nothing in memory, and how many statements it took: two where its task is stored. */
async function readAnew(now = START, digest = '') {
  const { sql, count } = countStatements(api.sql)
  const taskFragments = openTaskFragments(api.deps.publicReads, { digest })
  const page = await readPage({ ...api.deps, taskFragments, publicReads: readsOf(sql) }, now)
  return { page, statements: count(), waiting: taskFragments.takeMade(10) }
}

test('whenever it is stored and whenever it is read, a page of stored fragments is the page that the rows make', async () => {
  // One that waits for deliveries, until its deadline.
  await api.sql`update task set mode = 'bounty', status = 'open', worker = null, evaluator = null, auction_type = null`
  const { createdAt, expiryTime, bidDeadline } = await findRow()
  const turns = [createdAt, createdAt + 1_000n, expiryTime, bidDeadline ?? expiryTime]
  const times = turns.flatMap((turn) => [turn - 1n, turn])
  const made = new Map<bigint, string>()
  for (const now of times) made.set(now, await makePage(api.deps, task.id, now))
  expect(new Set(made.values()).size, 'pages of another time').toBeGreaterThan(1)
  let stored = 0
  for (const storedAt of times) {
    await api.sql`truncate service.task_fragments`
    await storeTask(api.deps, task.id, storedAt)
    for (const now of times) {
      const { page, statements } = await readAnew(now)
      if (statements === 2) stored += 1
      if (JSON.parse(page).tasks.length > 0) expect(page, `stored at ${storedAt}, read at ${now}`).toBe(made.get(now))
    }
  }
  expect(stored, 'pages of stored fragments').toBeGreaterThan(times.length)
  await task.restore()
})

test('through changes and reorgs, a page of stored fragments is the page that the rows make', async () => {
  const random = createSeededRandom(49)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
  const columns = await listColumns(api.sql, TASK, false)
  const steps = {
    change: async () => {
      const column = pick(columns.filter(({ name }) => name !== 'id'))
      if (column !== undefined) await changeColumn(api.sql, TASK, { column, isOfEvent: false })
    },
    // As it was, in a new version: nothing else tells of it.
    undo: async () => {
      const [before] = await api.sql`select count from service.content_changes`
      await task.restore(TASK)
      await api.sql`update service.content_changes set count = ${before?.count}`
    },
    store,
  }
  const turns = ['store', 'change', 'store', 'undo'] as const
  const outcomes = { stored: 0, changed: 0 }
  let last = ''
  for (let step = 0; step < byDepth(60, 3_000); step += 1) {
    await steps[(random() < 0.8 ? turns[step % turns.length] : pick(turns)) ?? 'store']()
    const { page, statements } = await readAnew()
    if (JSON.parse(page).tasks.length === 0) continue
    expect(page, `step ${step}`).toBe(await makePage(api.deps, task.id))
    if (statements === 2) outcomes.stored += 1
    if (page !== last) outcomes.changed += 1
    last = page
  }
  expect(outcomes.stored, 'pages of stored fragments').toBeGreaterThan(10)
  expect(outcomes.changed, 'pages that changed').toBeGreaterThan(10)
  await task.restore()
})

test('what a page made is stored, and a process of the same release reads it', async () => {
  await api.sql`truncate service.task_fragments`
  const made = await makePage(api.deps, task.id)
  expect(await readAnew()).toEqual({ page: made, statements: 3, waiting: [task.id] })
  await readPage(api.deps)
  const run = createFragmentsRun(api.deps)
  await run()
  expect(await readAnew()).toEqual({ page: made, statements: 2, waiting: [] })
  expect(await readAnew(START, 'another release')).toEqual({ page: made, statements: 3, waiting: [task.id] })
})

test('a table that was restored from a dump is another one, and a page needs none', async () => {
  await store()
  await api.sql`update service.task_fragments set body = '{"marked":true}'`
  expect((await readAnew()).page).toContain('marked')
  await api.sql`alter table service.task_fragments rename to dumped_fragments`
  const made = await makePage(api.deps, task.id)
  expect((await readAnew()).page).toBe(made)
  await api.sql`create table service.task_fragments (like service.dumped_fragments including all)`
  await api.sql`insert into service.task_fragments table service.dumped_fragments`
  await api.sql`drop table service.dumped_fragments`
  expect((await readAnew()).page).toBe(made)
})

test('a fragment is not stored where the market was paused since its row was read', async () => {
  await api.sql`truncate service.task_fragments`
  const { id, version, shared } = await findRow()
  const fragment = { id, version, interval: { from: null, until: null }, hash: '', body: '' }
  const countStored = async () => (await api.sql`select from service.task_fragments`).length
  await api.sql`update market_config set paused = not paused`
  await storeFragments(api.sql, [fragment], { shared, digest: '' })
  expect(await countStored()).toBe(0)
  await api.sql`update market_config set paused = not paused`
  await storeFragments(api.sql, [fragment], { shared, digest: '' })
  expect(await countStored()).toBe(1)
})

test('fragments of tasks that a reorg removed are deleted, unless rows are missing for another reason', async () => {
  await api.sql`truncate service.task_fragments`
  await store()
  await api.sql`
    insert into service.task_fragments (task_id, version, shared, hash, body)
    select '0x' || place, '', '', '', '' from generate_series(1, 3) as place`
  const listIds = async () => (await api.sql`select task_id from service.task_fragments`).map(({ taskId }) => taskId)
  await api.sql`update indexed_head set ready = false`
  expect(await deleteUselessFragments(api.sql, { after: '', limit: 2, digest: '' })).toBe('0x2')
  await api.sql`update indexed_head set ready = true`
  let clock = 0
  const run = createFragmentsRun(api.deps, () => clock)
  await run()
  expect(await listIds()).toHaveLength(4)
  clock = 60_000
  await run()
  expect(await listIds()).toEqual([task.id])
  expect(await deleteUselessFragments(api.sql, { after: task.id, limit: 2, digest: '' })).toBeNull()
})

test('once its text is removed, the fragment of a task is deleted, though no page replaces it', async () => {
  await store()
  const [row] = await api.sql`select body from service.task_fragments where task_id = ${task.id}`
  expect(row).toBeDefined()
  await api.sql`truncate service.task_content cascade`
  let clock = 0
  const run = createFragmentsRun(api.deps, () => clock)
  clock = 60_000
  await run()
  expect(await api.sql`select from service.task_fragments`).toHaveLength(0)
  await task.restore()
})

test('neither a running clock nor a large text is stored', async () => {
  const row = await findRow()
  const fragment = { bytes: Buffer.from('{}'), hash: '', interval: { from: null, until: null } }
  expect(isStorable(row, fragment, START)).toBe(true)
  expect(isStorable(row, { ...fragment, interval: { from: START, until: START + 1n } }, START)).toBe(false)
  expect(isStorable(row, { ...fragment, bytes: Buffer.alloc(64 * 1024 + 1) }, START)).toBe(false)
  expect(isStorable({ ...row, description: null }, fragment, START)).toBe(false)
})
