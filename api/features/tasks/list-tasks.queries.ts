import type { Queryable } from '../../db/client.ts'
import { isFoundByContent, type TaskFilter, taskConditions } from './task-filter.ts'
import { type TaskRow, taskColumns, taskTables } from './task-row.ts'

export type TaskOrder = 'newest' | 'reward_desc' | 'reward_asc' | 'deadline_asc' | 'relevance'

/** How many of the newest tasks that match a text are ranked by relevance: ranking reads each of them. */
const MAX_RANKED = 1000

/**
 * Public tasks in order, at most `limit`. `now` is the chain head's time: the statuses' deadline rule depends on it.
 * The page is found first, along the index of its order; then its rows are put together by their keys.
 */
export async function listPublicTasks(
  sql: Queryable,
  filter: TaskFilter,
  { order, limit, now }: { order: TaskOrder; limit: number; now: bigint },
): Promise<TaskRow[]> {
  const matching = sql`
    from task t
    ${publicContent(sql, filter)}
    where t.listed ${taskConditions(sql, filter, now)}`
  const page =
    order === 'relevance'
      ? sql`select t.id ${matching} order by t.created_at_ms desc limit ${MAX_RANKED}`
      : sql`select t.id ${matching} order by ${orderBy(sql, order, filter.search)} limit ${limit}`
  return await sql<TaskRow[]>`
    select ${taskColumns(sql)}
    from ${taskTables(sql)}
    where t.id = any(array(${page}))
    order by ${orderBy(sql, order, filter.search)}
    limit ${limit}`
}

/**
 * The content of public tasks. A direct chain call can put the hash of a public task's texts into any other task of
 * the same requester; only one that was created to be listed is listed. Where it is not what narrows the list, it is looked up task by task: the planner takes
 * the two columns of its key for independent, would expect next to no rows of a join, and read all of them to sort.
 */
function publicContent(sql: Queryable, filter: TaskFilter) {
  if (isFoundByContent(filter)) {
    return sql`
      join service.task_content c
        on c.requester = t.requester and c.content_hash = t.content_hash and c.task_visibility = 'public'`
  }
  return sql`
    cross join lateral (
      select from service.task_content
      where requester = t.requester and content_hash = t.content_hash and task_visibility = 'public'
      limit 1) as c`
}

function orderBy(sql: Queryable, order: TaskOrder, search: string | undefined) {
  switch (order) {
    case 'newest':
      return sql`t.created_at_ms desc`
    case 'reward_desc':
      return sql`t.reward desc, t.created_at_ms desc`
    case 'reward_asc':
      return sql`t.reward, t.created_at_ms desc`
    case 'deadline_asc':
      return sql`t.expiry_time, t.created_at_ms desc`
    case 'relevance':
      return sql`
        ts_rank_cd(c.search, websearch_to_tsquery('english', ${search ?? ''})) desc, t.created_at_ms desc`
  }
}
