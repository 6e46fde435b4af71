import type { Queryable } from '../db/client.ts'
import { run, statement } from '../db/statement-text.ts'

/** What lists by words and tags know before they read the table. */
export interface TaskSearchCoverage {
  /** A text that is another once the table, the indexer's rows or the texts are others. */
  version: string
  /** Tasks that the table may lack, or show as they were: those that match, and those that a reorg may make match. */
  uncovered: string[]
  /** Whether a page of matches is soon found along the order: they need not all be looked for. */
  isFrequent: boolean
}

/**
 * The newest tasks are as many as the square root of so many times all of them, 7,000 of a million: it takes as long to
 * look at these as at all matches of a word of which a page is not among them.
 */
const NEAR_FACTOR = 50
/** And at least so many: the number of all tasks is a statistic, which a new table lacks. */
const MIN_NEAR = 1_000

/** So many tasks are joined and sorted as fast as a page of more is met along an order. */
const FEW = 2_000

/** How many tasks may be uncovered, or texts stored since. Beyond, lists read the rows alone. */
const MAX_UNCOVERED = 5_000

/**
 * How many of them that were updated are looked at whether they match or not: they may match as they were before, and
 * Ponder undoes updates some milliseconds before the commit of the block in their place, which changes the version.
 */
const MAX_UNDONE = 500

/**
 * What the table lacks of the tasks that match; null where lists have to read the rows alone: it is not filled for the
 * deployment that is served, or lacks too much. Each part goes along one index: tasks created or updated after the state,
 * with an update that was not final at the state, or with texts that were stored since.
 * @param before tasks created before this `createdAtMs` are listed; absent: all
 * @param matches conditions on content `c`, each led by `and`
 * @param page how many tasks fill a page; few values, for it becomes part of the statement's text. Null: nothing is said of
 * the newest
 */
export async function findTaskSearch(
  sql: Queryable,
  { before, matches, page }: { before?: bigint | undefined; matches: PromiseLike<unknown>; page: number | null },
): Promise<TaskSearchCoverage | null> {
  // Ordered, so that a plan made without the values knows that few are read.
  const [found] = await run<(TaskSearchCoverage & { isCovering: boolean })[]>(
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
  return found?.isCovering === true ? found : null
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

/** Says whether so many tasks match that a page of them is soon met along any order. By a plan made with the values. */
export async function hasManyMatches(sql: Queryable, matches: PromiseLike<unknown>): Promise<boolean> {
  const [row] = await run<{ areMany: boolean }[]>(
    sql,
    statement`
      select count(*) > ${FEW} as are_many
      from (select from service.task_search c where true ${matches as never} limit ${FEW + 1}) as first`,
  )
  return row?.areMany === true
}

/** `TaskSearchCoverage.version` in the snapshot of a statement; null while the table is not filled. */
export function searchVersion(sql: Queryable) {
  return sql`(
    select concat_ws(' ', state.xmin, head.origin, head.version, (select count(*) from service.task_search_pending))
    from service.task_search_state state
    join indexed_head head on ${isServed(sql)}
    where state.complete)`
}

/**
 * Whether the state is of the indexer's rows that are served: of their deployment, and not ahead of them. A rebuild of the
 * same deployment begins at the first block again.
 */
function isServed(sql: Queryable) {
  return sql`head.schema_version = state.schema_version and head.block_number >= state.block_number`
}
