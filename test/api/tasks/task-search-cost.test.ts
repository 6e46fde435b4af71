import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskFilter } from '../../../api/features/task-filters.ts'
import type { PageOptions } from '../../../api/features/tasks/list/find-page.ts'
import { listPageHeads } from '../../../api/features/tasks/list/list-tasks.queries.ts'
import { loadWalletTasks } from '../../bench/reads/wallet-rows.ts'
import { anActor } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import { reportPlans } from '../db/report-plans.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Most of them are listed. */
const TASKS = 4_000

const api = aStartedApi()
let reported: Awaited<ReturnType<typeof reportPlans>>
beforeAll(async () => {
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
  await api.sql`update pg_class set reltuples = reltuples * 50 where relname in ('task', 'task_search')`
  // The statistics know nothing of the newest tag.
  await api.sql`
    update service.task_search set tags = tags || '{new}' where task_id in (
      select task_id from service.task_search order by created_at_ms desc limit 30)`
  await api.sql`
    update service.task_content c set tags = s.tags from service.task_search s where c.content_hash = s.content_hash`
  await api.sql`truncate service.task_search_pending`
  await api.sql`
    insert into service.task_search_state (schema_version, created_at_ms, block_number, block_timestamp, complete)
    select schema_version, (select max(created_at_ms) from task), block_number, block_timestamp, true from indexed_head
    on conflict (id) do update set created_at_ms = excluded.created_at_ms, complete = true`
  reported = await reportPlans(api.deps.config.DATABASE_URL)
})
afterAll(async () => {
  await reported?.sql.end()
})

const orders = ['reward_desc', 'reward_asc', 'deadline_asc'] as const
const sorted = { reward_desc: 'reward desc', reward_asc: 'reward', deadline_asc: 'expiry_time' }

const byTag = (tag: string) => ({ tags: [{ whole: tag, parts: [] }] })

const pageOf = (filter: TaskFilter, options: Pick<PageOptions, 'order' | 'after'>) =>
  listPageHeads(reported.sql, filter, { limit: 21, now: START, ...options })

/** What the statements of a page read. */
async function costOf(...page: Parameters<typeof pageOf>): Promise<{ rows: number; whole: string[] }> {
  const plans = await reported.plansOf(() => pageOf(...page))
  expect(plans.length).toBeGreaterThan('tags' in page[0] ? 1 : 0)
  return { rows: plans.reduce((sum, { rows }) => sum + rows, 0), whole: plans.flatMap(({ whole }) => whole) }
}

test.each(['newest', ...orders] as const)(
  'a tag that no text or only the newest tasks have is not looked for along all tasks by %s',
  async (order) => {
    for (const tag of ['nowhere', 'new']) {
      const { rows } = await costOf(byTag(tag), { order })
      expect(rows, tag).toBeLessThan(order === 'newest' ? TASKS / 2 : TASKS / 10)
    }
  },
)

test.each(orders)('a page by %s is the first of all that have a tag, of few and of many', async (order) => {
  for (const tag of ['tag3', 'new', 'nowhere']) {
    const { heads } = await pageOf(byTag(tag), { order })
    const all = await api.sql<{ id: string }[]>`
      select id from task t join service.task_content using (content_hash, requester)
      where listed and tags @> array[${tag}]
      order by ${api.sql.unsafe(sorted[order])}, created_at_ms ${api.sql.unsafe(order === 'reward_desc' ? 'desc' : '')}
      limit 21`
    expect(
      heads.map(({ id }) => id),
      tag,
    ).toEqual(all.map(({ id }) => id))
    expect(heads).toHaveLength(tag === 'nowhere' ? 0 : 21)
  }
})

test.each(orders)('a page by %s deep in the list reads no more than the first', async (order) => {
  const [middle] = await api.sql<{ reward: bigint; expiryTime: bigint; createdAtMs: bigint }[]>`
    select reward, expiry_time, created_at_ms from task where listed
    order by ${api.sql.unsafe(sorted[order])}, created_at_ms ${api.sql.unsafe(order === 'reward_desc' ? 'desc' : '')}
    offset ${Math.floor(TASKS / 3)} limit 1`
  const { reward, expiryTime, createdAtMs } = middle ?? expect.fail('no task there')
  const after = { key: String(order === 'deadline_asc' ? expiryTime : reward), createdAtMs }
  const { rows, whole } = await costOf({}, { order, after })
  expect(whole.filter((table) => table === 'task')).toEqual([])
  expect(rows).toBeLessThan(200)
})
