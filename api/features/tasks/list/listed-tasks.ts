import type { Queryable } from '../../../db/client.ts'

/**
 * The table in which a list searches texts, and how:
 * - `by task`: the stored contents, looked up for each task.
 * - `by text`: the stored contents, found by their text.
 * - `covered`: the search table of words and tags.
 * - `uncovered`: the stored contents of the few tasks (`ids`) that the search table does not cover.
 */
export type Texts =
  | { kind: 'by task' | 'by text' }
  | { kind: 'covered'; isFrequent: boolean }
  | { kind: 'uncovered'; ids: string[] }

/** Returns the columns by which pages are ordered, and the columns with which versions are read. */
export function foundColumns(sql: Queryable, isRanked: boolean) {
  return sql`
    t.id, t.created_at_ms, t.reward, t.expiry_time, t.row_version, t.event_count, t.requester, t.worker, t.primary_worker,
    t.content_hash, t.created_content_hash ${isRanked ? sql`, c.search` : sql``}`
}

/**
 * Returns the join of public tasks `t` with their texts, as `c`. A direct call of the contract can put the hash of a
 * public task's texts into another task of the same requester; only a task that was created as listed is listed. For
 * `by task` and `uncovered`, the texts are looked up for each task. For `by text` and `covered`, the planner chooses
 * the order of the join. The planner assumes that the columns of a key are independent, so it would expect almost no
 * rows from a join on several columns. Therefore some columns are compared inside `coalesce`: the planner expects that
 * half of the rows meet such a condition. For `by text`, the hash is compared directly, because it alone identifies
 * nearly every text (migration 0015).
 */
export function publicContent(sql: Queryable, texts: Texts) {
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
 * Returns the condition that a row of the search table still belongs to its task. The condition is inside `coalesce`,
 * so that the planner expects half of the rows to meet it.
 */
export function isOfTask(sql: Queryable) {
  return sql`coalesce(c.content_hash = t.content_hash and c.created_at_ms = t.created_at_ms, false)`
}
