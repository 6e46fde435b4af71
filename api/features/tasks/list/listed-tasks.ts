import type { Queryable } from '../../../db/client.ts'

/**
 * The table in which a list searches texts, and how the search reads the table. The stored contents are in
 * `service.task_content`. Cases:
 * - `by task`: the stored contents. The search looks up the content of each task.
 * - `by text`: the stored contents. The search begins with the matching texts.
 * - `covered`: the search table of words and tags.
 * - `uncovered`: the stored contents of the few tasks (`ids`) that are not in the search table.
 */
export type Texts =
  | { kind: 'by task' | 'by text' }
  | { kind: 'covered'; isFrequent: boolean }
  | { kind: 'uncovered'; ids: string[] }

/**
 * Returns the SQL columns that are needed to order the tasks of a page and to compute the versions of these tasks. If
 * `isRanked` is true, the columns include the words of each task, for the ranking by relevance.
 */
export function foundColumns(sql: Queryable, isRanked: boolean) {
  return sql`
    t.id, t.created_at_ms, t.reward, t.expiry_time, t.row_version, t.event_count, t.requester, t.worker, t.primary_worker,
    t.content_hash, t.created_content_hash ${isRanked ? sql`, c.search` : sql``}`
}

/**
 * Returns the SQL join of the public tasks `t` with their texts `c`. For `by task` and `uncovered`, the texts are
 * looked up for each task. For `by text` and `covered`, the query planner chooses whether the join begins with the
 * tasks or with the texts.
 */
export function publicContent(sql: Queryable, texts: Texts) {
  // A direct call of the contract can put the hash of a public task's texts into another task of the same requester. So
  // the caller's statement must also require `t.listed`. The planner would expect almost no rows from a join on several
  // columns. It expects half of the rows to meet a condition inside `coalesce`. In `by text`, the hash is compared
  // directly, because it identifies nearly every text (migration 0015).
  switch (texts.kind) {
    case 'by task':
    case 'uncovered':
      return sql`
        cross join lateral (
          select ${texts.kind === 'by task' ? sql`` : sql`folded_tags, search`} from service.task_content
          where content_hash = t.content_hash and requester = t.requester and task_visibility = 'public'
          limit 1) as c`
    case 'by text':
      return sql`
        join service.task_content c
          on c.content_hash = t.content_hash and coalesce(c.requester = t.requester, false)
          and c.task_visibility = 'public'`
    case 'covered':
      return sql`
        join service.task_search c
          on c.task_id = t.id and ${isOfTask(sql)}`
  }
}

/**
 * Returns the SQL condition that row `c` of the search table is still valid for task `t`: the row contains the task's
 * present content hash and time of creation.
 */
export function isOfTask(sql: Queryable) {
  // Inside `coalesce`, the planner expects half of the rows to meet the condition.
  return sql`coalesce(c.content_hash = t.content_hash and c.created_at_ms = t.created_at_ms, false)`
}
