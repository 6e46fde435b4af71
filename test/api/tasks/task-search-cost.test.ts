import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPage } from '../../../api/features/tasks/list/find-page.ts'
import { loadWalletTasks } from '../../bench/reads/wallet-rows.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { costOf } from '../db/statement-cost.ts'

/** Most of them are listed. */
const TASKS = 20_000

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await api.seed.task({ requester: anActor().address })
  await loadWalletTasks(api.sql, { address: anActor().address, tasks: TASKS, now: Number(START) })
  // One in ten listed tasks has each of tag0 to tag9.
  await api.sql`
    insert into service.task_search (task_id, created_at_ms, content_hash, tags, search)
    select id, created_at_ms, content_hash, array['tag' || place % 10], to_tsvector('english', 'Work')
    from (select *, row_number() over (order by created_at_ms desc) as place from task where listed) as t
    order by created_at_ms`
  await api.sql`analyze`
  // The planner takes them for as many as make it walk.
  await api.sql`update pg_class set reltuples = reltuples * 20 where relname in ('task', 'task_search')`
  // The statistics know nothing of the newest tag.
  await api.sql`
    update service.task_search set tags = tags || '{new}' where task_id in (
      select task_id from service.task_search order by created_at_ms desc limit 30)`
  await api.sql`
    update service.task_content c set tags = s.tags from service.task_search s where c.content_hash = s.content_hash`
}, 120_000)
afterAll(() => api.stop())

const orders = ['reward_desc', 'reward_asc', 'deadline_asc'] as const
const sorted = { reward_desc: 'reward desc', reward_asc: 'reward', deadline_asc: 'expiry_time' }

interface Asked {
  tag: string
  order: (typeof orders)[number]
  /** Whether a page is among the newest tasks. */
  isFrequent: boolean
}

function pageOf({ tag, order, isFrequent }: Asked) {
  const coverage = { version: '', uncovered: [], isFrequent }
  return findPage(api.sql, { tags: [tag] }, { order, limit: 21, now: START, coverage })
}

test.each(orders)('a tag that no text has is not looked for along all tasks by %s', async (order) => {
  const { rows } = await costOf(api.sql, pageOf({ tag: 'nowhere', order, isFrequent: false }))
  expect(rows).toBeLessThan(TASKS / 10)
})

test.each(orders)('a tag that only the newest tasks have is not looked for along all tasks by %s', async (order) => {
  const { rows } = await costOf(api.sql, pageOf({ tag: 'new', order, isFrequent: true }))
  expect(rows).toBeLessThan(TASKS / 10)
})

test.each(orders)('a page by %s is the first of all that have a tag, of few and of many', async (order) => {
  for (const { tag, isFrequent } of [
    { tag: 'tag3', isFrequent: true },
    { tag: 'new', isFrequent: true },
    { tag: 'new', isFrequent: false },
    { tag: 'nowhere', isFrequent: false },
  ]) {
    const page = await api.sql<
      { id: string }[]
    >`select id from (${pageOf({ tag, order, isFrequent })}) as t order by place`
    const all = await api.sql<{ id: string }[]>`
      select id from task t join service.task_content using (content_hash, requester)
      where listed and tags @> array[${tag}]
      order by ${api.sql.unsafe(sorted[order])}, created_at_ms ${api.sql.unsafe(order === 'reward_desc' ? 'desc' : '')}
      limit 21`
    expect(page, tag).toEqual(all)
    expect(page).toHaveLength(tag === 'nowhere' ? 0 : 21)
  }
})

test.each(orders)('a page by %s deep in the list reads no more than the first', async (order) => {
  const [middle] = await api.sql<{ reward: bigint; expiryTime: bigint; createdAtMs: bigint }[]>`
    select reward, expiry_time, created_at_ms from task where listed
    order by ${api.sql.unsafe(sorted[order])}, created_at_ms ${api.sql.unsafe(order === 'reward_desc' ? 'desc' : '')}
    offset ${Math.floor(TASKS / 3)} limit 1`
  const { reward, expiryTime, createdAtMs } = middle ?? expect.fail('no task there')
  const after = { key: String(order === 'deadline_asc' ? expiryTime : reward), createdAtMs }
  const { rows, whole } = await costOf(
    api.sql,
    findPage(api.sql, {}, { order, limit: 21, now: START, after, coverage: null }),
  )
  expect(whole).toEqual([])
  expect(rows).toBeLessThan(200)
})
