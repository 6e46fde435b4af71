import type { Queryable } from '../db/client.ts'
import { run, statement } from '../db/statement-text.ts'

/** The facts of lists by words and tags before they read the table. */
export interface TaskSearchCoverage {
  /** A text that changes with the table, the indexer's rows or the texts. */
  version: string
  /**
   * The tasks that the table may lack or show in an old state: those that match, and those that a reorg may make match.
   */
  uncovered: string[]
  /** True if a page of matches is soon found along the order, without all of them. */
  isFrequent: boolean
}

/**
 * The factor in the number of newest tasks, the square root of this many times all of them, 7,000 of a million:
 * scanning these takes as long as scanning all matches of a word without a page among them.
 */
const NEAR_FACTOR = 50
/** The least number of newest tasks: the number of all tasks is a statistic, which a new table lacks. */
const MIN_NEAR = 1_000

/** The number of tasks that are joined and sorted as fast as a page of more is found along an order. */
const FEW = 2_000

/** The most uncovered tasks, or texts stored since; beyond, lists read the rows alone. */
const MAX_UNCOVERED = 5_000

/**
 * The most updated ones that are checked whether they match or not. They may match in their earlier state, and Ponder
 * undoes updates some milliseconds before the commit of the replacing block, which changes the version.
 */
const MAX_UNDONE = 500

/**
 * Returns the uncovered matches of the table; null when lists must read the rows alone, because it is not filled for
 * the served deployment, or lacks too much. Each part follows one index: tasks created or updated after the state, with
 * an update that was not final at the state, or with texts stored since.
 * @param before tasks created before this `createdAtMs` are listed; absent: all
 * @param matches conditions on content `c`, each preceded by `and`
 * @param page the tasks of a page; few values, because it becomes part of the statement's text. Null: `isFrequent` is
 * not computed
 */
export async function findTaskSearch(
  sql: Queryable,
  { before, matches, page }: { before?: bigint | undefined; matches: PromiseLike<unknown>; page: number | null },
): Promise<TaskSearchCoverage | null> {
  // Ordered, so that a plan without the values expects few rows.
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

/** Returns true if enough tasks match that a page of them is soon found along any order. The plan uses the values. */
export async function hasManyMatches(sql: Queryable, matches: PromiseLike<unknown>): Promise<boolean> {
  const [row] = await run<{ areMany: boolean }[]>(
    sql,
    statement`
      select count(*) > ${FEW} as are_many
      from (select from service.task_search c where true ${matches as never} limit ${FEW + 1}) as first`,
  )
  return row?.areMany === true
}

/** Selects `TaskSearchCoverage.version` in a statement's snapshot; null while the table is not filled. */
export function searchVersion(sql: Queryable) {
  return sql`(
    select concat_ws(' ', state.xmin, head.origin, head.version, (select count(*) from service.task_search_pending))
    from service.task_search_state state
    join indexed_head head on ${isServed(sql)}
    where state.complete)`
}

/**
 * Returns the condition that the state belongs to the served rows: of their deployment, and not ahead of them. A
 * rebuild of the same deployment starts at the first block again.
 */
function isServed(sql: Queryable) {
  return sql`head.schema_version = state.schema_version and head.block_number >= state.block_number`
}
