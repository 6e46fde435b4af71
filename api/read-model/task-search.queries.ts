import type { Queryable } from '../db/client.ts'
import { run, statement } from '../db/statement-text.ts'

/** The facts that a list by words or tags reads before it uses the search table. */
export interface TaskSearchCoverage {
  /** A text that changes with the search table, the indexer's rows and new task contents. */
  version: string
  /**
   * The ids of tasks that are missing or outdated in the table: matching tasks, and recently updated tasks that a reorg
   * may make match again.
   */
  uncovered: string[]
  /** True if enough of the newest tasks match to fill a page without reading all matches. */
  isFrequent: boolean
}

/**
 * A factor for the number of newest tasks that are checked for matches. The number is the square root of this factor
 * times the number of all tasks. Example: 7,000 of a million tasks are checked.
 */
const NEAR_FACTOR = 50
/** The least number of newest tasks that are checked for matches. The database has no statistics for a new table. */
const MIN_NEAR = 1_000

/** Up to this number of matches, the database sorts all matches as fast as it reads one page in the sort order. */
const FEW = 2_000

/**
 * The limit for uncovered tasks and for new task contents. Lists do not use the table if one of the two numbers reaches
 * the limit.
 */
const MAX_UNCOVERED = 5_000

/**
 * The largest number of updated tasks that are returned although their present state does not match the search. A reorg
 * can restore an earlier state that matches.
 */
const MAX_UNDONE = 500

/**
 * Finds the tasks that may match and that the search table does not cover. The table does not cover three kinds of
 * tasks: tasks after the recorded progress, tasks with an update that was not final, and tasks with new content.
 * Returns null if lists must not use the table: it is not filled for the served deployment, or lacks too many tasks.
 * @param before the list has only tasks created before this `createdAtMs`; absent: all tasks
 * @param matches conditions on content `c`, each preceded by `and`
 * @param page the number of tasks on a page; null: `isFrequent` is not computed. Use few different values, because the
 * number is part of the SQL text
 */
export async function findTaskSearch(
  sql: Queryable,
  { before, matches, page }: { before?: bigint | undefined; matches: PromiseLike<unknown>; page: number | null },
): Promise<TaskSearchCoverage | null> {
  // Ordered, so that a plan without the values expects few rows.
  const [coverage] = await run<(TaskSearchCoverage & { isCovering: boolean })[]>(
    sql,
    statement`
      with lacking as materialized (
        (
          select t.id, false as was_changed from service.task_search_state state cross join lateral (
            select id from task where created_at_ms > state.created_at_ms and listed
            order by created_at_ms desc limit ${MAX_UNCOVERED}
          ) as t
        ) union all (
          select e.task_id, true from service.task_search_state state cross join lateral (
            select task_id from task_event
            where name = 'TaskUpdated' and block_timestamp >= state.block_timestamp and block_number > state.block_number
            order by block_timestamp desc limit ${MAX_UNCOVERED}
          ) as e
        ) union all (
          select task_id, true from service.task_search_tentative limit ${MAX_UNCOVERED}
        ) union all (
          select t.id, false from (select * from service.task_search_pending limit ${MAX_UNCOVERED}) as pending
          cross join lateral (
            select id from task where content_hash = pending.content_hash and requester = pending.requester
            order by content_hash, requester limit ${MAX_UNCOVERED}
          ) as t
        ) limit ${MAX_UNCOVERED}
      )
      select ${searchVersion(statement)} as version,
        ${page === null ? statement`false` : isPageNear(page, before, matches)} as is_frequent,
        (select count(*) from lacking) < ${MAX_UNCOVERED}
          and (select count(*) from service.task_search_pending) < ${MAX_UNCOVERED} as is_covering,
        array(
          (
            select t.id from task t cross join lateral (
              select folded_tags, search from service.task_content
              where content_hash = t.content_hash and requester = t.requester and task_visibility = 'public'
              limit 1
            ) as c
            where t.id = any(array(select id from lacking)) ${matches as never}
          ) union (
            select distinct id from lacking where was_changed limit ${MAX_UNDONE}
          )
        ) as uncovered
      from service.task_search_state state
      join indexed_head head on ${isServed(statement)}
      where state.complete`,
  )
  return coverage?.isCovering === true ? coverage : null
}

function isPageNear(page: number, before: bigint | undefined, matches: PromiseLike<unknown>) {
  return statement`(
    select count(*) = ${page} from (
      select from (
        select folded_tags, search from service.task_search
        ${before === undefined ? statement`` : statement`where created_at_ms < ${before}`}
        order by created_at_ms desc
        limit (
          select greatest(sqrt(greatest(reltuples, 0) * ${NEAR_FACTOR}), ${MIN_NEAR})::int8 from pg_class
          where oid = 'service.task_search'::regclass
        )
      ) as c
      where true ${matches as never} limit ${page}
    ) as near)`
}

/**
 * Returns true if so many tasks match that a page is found quickly in any sort order. The values are part of the SQL
 * text, so the database plans with these values.
 */
export async function hasManyMatches(sql: Queryable, matches: PromiseLike<unknown>): Promise<boolean> {
  const [row] = await run<{ areMany: boolean }[]>(
    sql,
    statement`
      select count(*) > ${FEW} as are_many
      from (select from service.task_search c where true ${matches as never} limit ${FEW + 1}) as first`,
  )
  return row?.areMany === true
}

/**
 * Returns the SQL of `TaskSearchCoverage.version` in a statement's snapshot. The SQL value is null while the search
 * table is not filled.
 */
export function searchVersion(sql: Queryable) {
  return sql`(
    select concat_ws(' ', state.xmin, head.origin, head.version, (select count(*) from service.task_search_pending))
    from service.task_search_state state
    join indexed_head head on ${isServed(sql)}
    where state.complete)`
}

/**
 * Returns the SQL condition that the progress and the served rows belong to the same deployment, and that the progress
 * is not ahead. A rebuild of a deployment starts at the first block again, so the progress can be ahead.
 */
function isServed(sql: Queryable) {
  return sql`head.schema_version = state.schema_version and head.block_number >= state.block_number`
}
