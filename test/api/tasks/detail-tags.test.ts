import { beforeAll, expect, test } from 'vitest'
import { statement, toStatementText } from '../../../api/db/statement-text.ts'
import { createDetailTags } from '../../../api/features/tasks/detail-tags.ts'
import { detailVersion } from '../../../api/features/tasks/detail-version.queries.ts'
import { versionTables } from '../../../api/features/tasks/task-version.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, expiringReadHeadersOf, readHeadersOf } from '../../support/actors.ts'
import { aProgramme, insertAccount } from '../../support/bonus-rows.ts'
import { START } from '../../support/rows/insert-row.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { onDatabase } from '../read-model/primary-reads.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { changeColumn, listColumns, removeRows, type SeededTask, seedEveryTable } from './every-table.ts'

/**
 * What a detail is made of. `event`: a handler of an event of the task, which writes the task's row in the same block. `own`: the
 * version of the detail has it, or that of the task.
 */
const tables = {
  'market.award': 'event',
  'market.evaluation': 'event',
  'market.hook_set': 'event',
  'market.pitch': 'event',
  'market.task_entry': 'event',
  'market.verdict_award': 'event',
  'market.agent': 'own',
  'market.bonus_account': 'own',
  'market.bonus_programme': 'own',
  'market.indexed_head': 'own',
  'market.market_config': 'own',
  'market.sponsored_vault': 'own',
  'market.vault_charge': 'own',
  'idx_0000000000000000.task': 'own',
  'service.content_changes': 'own',
  'service.published_keys': 'own',
  'service.task_access': 'own',
  'service.task_content': 'own',
  'service.task_drop_members': 'own',
  'service.task_drops': 'own',
  'service.vault_curation': 'own',
} as const satisfies Record<string, 'event' | 'own'>

const api = aStartedApi()
let task: SeededTask

beforeAll(async () => {
  task = await seedEveryTable(api, [])
  await api.sql`update service.task_content set task_visibility = 'public'`
  const hook = await aProgramme(api.sql)
  await api.sql`update hook_set set hooks[1] = ${hook}`
  // Open, so that the terms of the programme are shown.
  await api.sql`update task set status = 'open', worker = null, primary_worker = null`
  const [row] = await api.sql<{ requester: `0x${string}` }[]>`select requester from task`
  if (row === undefined) throw new Error('the task is there')
  await insertAccount(api.sql, row.requester, { firstSeen: START - 10_000_000n, claimable: 5n })
  await task.save(Object.keys(tables))
  expect((await api.get(path())).body.id).toBe(task.id)
})

const path = () => `/api/tasks/${task.id}`

/** What a change of a row is for the process when the database tells of it. */
const tellOfChange = () => api.deps.rowChanges.note()

/** Asks with the tag of the answer before a change, and without one: the first says 304 just where nothing else is answered. */
async function expectHonest(tag: string, what: string): Promise<boolean> {
  tellOfChange()
  const asked = await api.get(path(), { 'If-None-Match': tag })
  const made = await api.get(path())
  // Values that no task can have, such as a deadline before its creation.
  if (made.status === 500) return true
  const isSame = made.headers.get('etag') === tag
  expect([what, asked.status]).toEqual([what, isSame ? 304 : 200])
  if (!isSame) expect(asked.body).toEqual(made.body)
  return isSame
}

const tagNow = async () => {
  tellOfChange()
  return (await api.get(path())).headers.get('etag') ?? ''
}

test('whatever value of any row changes, a client with the tag of before gets what is there now', async () => {
  const others = new Map<string, number>()
  for (const [table, kind] of Object.entries(tables)) {
    for (const column of await listColumns(api.sql, table, kind === 'event')) {
      if (table === 'idx_0000000000000000.task' && column.name === 'id') continue
      const tag = await tagNow()
      if (!(await changeColumn(api.sql, table, { column, isOfEvent: kind === 'event' }))) continue
      if (!(await expectHonest(tag, `${table}.${column.name}`))) others.set(table, (others.get(table) ?? 0) + 1)
      await task.restore(table)
    }
  }
  for (const table of ['idx_0000000000000000.task', 'market.agent', 'market.bonus_programme', 'market.award']) {
    expect(others.get(table) ?? 0, table).toBeGreaterThan(0)
  }
})

test('whatever row goes, a client with the tag of before gets what is there now', async () => {
  for (const [table, kind] of Object.entries(tables)) {
    const tag = await tagNow()
    if (!(await removeRows(api.sql, table, kind === 'event'))) continue
    await expectHonest(tag, table)
    await task.restore()
  }
})

test('the version reads the tables that are listed here, and those of a bonus', async () => {
  const { text } = toStatementText(
    statement`select ${detailVersion(statement)} from task t ${versionTables(statement)} where t.id <> ''`,
  )
  const [row] = await api.sql.unsafe(`explain (verbose, format json) ${text}`)
  const read = new Set<string>()
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    if ('Relation Name' in node && 'Schema' in node) read.add(`${node.Schema}.${node['Relation Name']}`)
    for (const part of Object.values(node)) visit(part)
  }
  visit(Object.values(row ?? {})[0])
  const ofBonus = ['completion', 'credit', 'epoch', 'lock', 'skip'].map((name) => `market.bonus_${name}`)
  for (const table of ofBonus) expect(read).toContain(table)
})

test('given the tag, then two statements answer many clients, and no more within a second', async () => {
  const { sql, count } = countStatements(api.sql)
  const deps = onDatabase(api.deps, sql)
  const app = createApp({ ...deps, detailTags: createDetailTags(deps) })
  const tag = (await app.request(path())).headers.get('etag') ?? ''
  const before = count()
  const ask = async () => (await app.request(path(), { headers: { 'If-None-Match': tag } })).status
  expect(new Set(await Promise.all(Array.from({ length: 10 }, ask)))).toEqual(new Set([304]))
  expect(count() - before).toBe(2)
  expect(await ask()).toBe(304)
  expect(count() - before).toBe(2)
  tellOfChange()
  expect(await ask()).toBe(304)
  expect(count() - before).toBe(4)
})

test('given another time of the chain, then a deadline that has passed is told', async () => {
  const { id } = await api.seed.task({ requester: anActor().address, expiryTime: START + 60n })
  const tag = (await api.get(`/api/tasks/${id}`)).headers.get('etag') ?? ''
  const ask = async () => (await api.get(`/api/tasks/${id}`, { 'If-None-Match': tag })).status
  expect(await ask()).toBe(304)
  api.chain.now = START + 60n
  try {
    expect(await ask()).toBe(200)
  } finally {
    api.chain.now = START
  }
})

test('given a private task, then its tag tells nothing to callers who may not see it', async () => {
  const [requester, viewer, stranger] = [anActor(), anActor(), anActor()]
  const { id } = await api.seed.task(
    { requester: requester.address },
    { taskVisibility: 'private' },
    { viewers: [viewer.address] },
  )
  const url = `/api/tasks/${id}`
  const headersOf = async (actor: Actor | null) => (actor === null ? {} : await readHeadersOf(actor))
  const own = await api.get(url, await headersOf(viewer))
  const tag = own.headers.get('etag') ?? ''
  expect(own.body.id).toBe(id)
  const ask = async (actor: Actor | null, sent = tag) =>
    await api.get(url, { ...(await headersOf(actor)), 'If-None-Match': sent })
  for (const actor of [requester, viewer]) expect((await ask(actor)).status).toBe(304)
  for (const actor of [stranger, null]) {
    const answer = await ask(actor)
    expect([answer.status, answer.body, answer.headers.get('etag') === tag]).toEqual([200, null, false])
    // `*` is told to them of a task that is not there just so.
    const [hidden, unknown] = [
      await ask(actor, '*'),
      await api.get(`/api/tasks/0x${'0'.repeat(64)}`, { 'If-None-Match': '*' }),
    ]
    expect([hidden.status, hidden.headers.get('etag')]).toEqual([unknown.status, unknown.headers.get('etag')])
  }
  await api.sql`delete from service.task_viewers where viewer = ${viewer.address}`
  expect((await ask(viewer)).body).toBeNull()
  expect((await ask(requester)).status).toBe(304)
})

test('given a read identity that has ended, then its condition is refused as its request without one', async () => {
  const actor = anActor()
  const { id } = await api.seed.task({ requester: actor.address })
  const tag = (await api.get(`/api/tasks/${id}`)).headers.get('etag') ?? ''
  const scope = { baseUrl: api.deps.config.PUBLIC_BASE_URL, now: START - 86_400n }
  const headers = { ...(await expiringReadHeadersOf(actor, scope)), 'If-None-Match': tag }
  expect((await api.get(`/api/tasks/${id}`, headers)).status).toBe(401)
})
