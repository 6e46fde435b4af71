import type { Queryable } from '../../../db/client.ts'

/**
 * The place where a list searches texts: task by task; in the stored contents, by text; in the table of words and tags; or in the
 * contents of the few tasks that this table does not cover.
 */
export type Texts =
  | { kind: 'by task' | 'by text' }
  | { kind: 'covered'; isFrequent: boolean }
  | { kind: 'uncovered'; ids: string[] }

/** The columns that order pages, and those that versions are read with. */
export function foundColumns(sql: Queryable, isRanked: boolean) {
  return sql`
    t.id, t.created_at_ms, t.reward, t.expiry_time, t.row_version, t.event_count, t.requester, t.worker, t.primary_worker,
    t.content_hash, t.created_content_hash ${isRanked ? sql`, c.search` : sql``}`
}

/**
 * The content of public tasks as `c`. A direct chain call can put the hash of a public task's texts into any other task
 * of the same requester; only one that was created to be listed is listed. Where the content is not what narrows the
 * list, it is looked up task by task. Where it is, the planner chooses which side to begin with. It takes the columns
 * of a key for independent, and would expect next to no rows of a join on several; of what `coalesce` hides it expects
 * half. The hash alone tells nearly every text from the others (migration 0015).
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

/** The condition that a row of words and tags still belongs to its task; as above, the planner expects half. */
export function isOfTask(sql: Queryable) {
  return sql`coalesce(c.content_hash = t.content_hash and c.created_at_ms = t.created_at_ms, false)`
}
