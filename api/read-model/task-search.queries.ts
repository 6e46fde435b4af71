import type { Queryable } from '../db/client.ts'
import { run, statement } from '../db/statement-text.ts'

/** The facts that a list by words or tags reads before it uses the search table. */
export interface TaskSearchCoverage {
  /** A text that changes with the search table, the indexer's rows and new task contents. */
  version: string
  /**
   * The ids of tasks that the search table lacks or has in an outdated form. Of these tasks, the matching tasks are
   * included. Recently updated tasks are included even if they do not match, because a reorg could restore an earlier
   * content that matches.
   */
  uncovered: string[]
  /** True if matches are frequent: the matches among the newest tasks alone fill a page. */
  isFrequent: boolean
}

/**
 * A factor in the number of newest tasks that are checked for matches: sqrt(`NEAR_FACTOR` * number of all tasks).
 * Example: of a million tasks, the newest 7,000 are checked.
 */
const NEAR_FACTOR = 50
/**
 * The smallest number of newest tasks that are checked for matches. The number is needed for a new table, because the
 * database has no statistics for the table yet.
 */
const MIN_NEAR = 1_000

/**
 * The largest number of matches for which reading and sorting all matches is as fast as reading one page in sort order.
 */
const FEW = 2_000

/**
 * The limit for the number of tasks that the search table lacks, and for the number of task contents that it lacks. If
 * one of these two numbers reaches the limit, lists by words or tags do not use the search table.
 */
const MAX_UNCOVERED = 5_000

/**
 * The largest number of updated tasks that are returned without a check of their content. Such a task may not match the
 * search now, but a reorg can restore an earlier content that matches.
 */
const MAX_UNDONE = 500

/**
 * Finds the tasks that may match although the search table cannot tell, because their row is missing or may be
 * outdated:
 * - tasks that were created or updated after the recorded progress of filling
 * - tasks whose row contains an update that a reorg could still revert
 * - tasks whose content was stored since the last fill
 *
 * Returns null if lists must not use the table: it is not filled for the served deployment, or too many rows are
 * missing.
 * @param before the list has only tasks created before this `createdAtMs`; absent: all tasks
 * @param matches conditions on content `c`, each preceded by `and`
 * @param page the number of tasks on a page, from which `isFrequent` is computed; if null, `isFrequent` is false. Use
 * few different numbers, because the number is part of the SQL text
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
 * Returns true if more than `FEW` tasks match. A page is then found quickly by reading tasks in any sort order. `FEW`
 * is part of the SQL text and not a parameter, so the database knows the value when it plans the statement.
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
 * Returns the SQL of `TaskSearchCoverage.version`. If a larger statement contains this SQL, the version belongs to
 * exactly the rows that the larger statement reads. The SQL value is null while the search table is not filled.
 */
export function searchVersion(sql: Queryable) {
  return sql`(
    select concat_ws(' ', state.xmin, head.origin, head.version, (select count(*) from service.task_search_pending))
    from service.task_search_state state
    join indexed_head head on ${isServed(sql)}
    where state.complete)`
}

/**
 * Returns the SQL condition that the search table belongs to the served deployment, and that its recorded progress is
 * not later than the newest indexed block. If a deployment is rebuilt, indexing starts at the first block again, so the
 * progress can be later.
 */
function isServed(sql: Queryable) {
  return sql`head.schema_version = state.schema_version and head.block_number >= state.block_number`
}
