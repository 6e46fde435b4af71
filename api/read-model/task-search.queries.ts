import type { Queryable } from '../db/client.ts'
import { run, statement } from '../db/statement-text.ts'
import type { Boundary } from './final-blocks.queries.ts'

/** Up to where `service.task_search` holds the public tasks of the deployment that is served. */
export interface TaskSearchState {
  schemaVersion: string
  /** Every task created until then. */
  createdAtMs: bigint
  /** Every update until this block, and its time: no block above it is older, Unix seconds. */
  blockNumber: bigint
  blockTimestamp: bigint
  /** Whether it has reached the final blocks once. */
  complete: boolean
  /** Whether the last fill has. */
  caughtUp: boolean
}

/** What lists by words and tags know before they read the table. */
export interface TaskSearchCoverage {
  /** A text that is another once the table, the indexer's rows or the texts are others. */
  version: string
  /** Tasks that the table may lack, or show as they were: those that match, and those that a reorg may make match. */
  uncovered: string[]
  /** Whether a page of matches is found among the newest tasks: it need not be looked for among all. */
  isFrequent: boolean
}

/**
 * The newest tasks are as many as the square root of so many times all of them, 7,000 of a million: it takes as long to
 * look at these as at all matches of a word of which a page is not among them.
 */
const NEAR_FACTOR = 50
/** And at least so many: the number of all tasks is a statistic, which a new table lacks. */
const MIN_NEAR = 1_000

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
 * @param page how many tasks fill a page; few values, for it becomes part of the statement's text
 */
export async function findTaskSearch(
  sql: Queryable,
  { before, matches, page }: { before?: bigint | undefined; matches: PromiseLike<unknown>; page: number },
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
      select ${searchVersion(statement)} as version, (
          select count(*) = ${page} from (
            select from (
              select tags, search from service.task_search
              ${before === undefined ? statement`` : statement`where created_at_ms < ${before}`}
              order by created_at_ms desc
              limit (
                select greatest(sqrt(greatest(reltuples, 0) * ${NEAR_FACTOR}), ${MIN_NEAR})::int8 from pg_class
                where oid = 'service.task_search'::regclass
              )
            ) as c
            where true ${matches as never} limit ${page}
          ) as near
        ) as is_frequent,
        (select count(*) from lacking) < ${MAX_UNCOVERED}
          and (select count(*) from service.task_search_pending) < ${MAX_UNCOVERED} as is_covering,
        array(
          (
            select t.id from task t cross join lateral (
              select tags, search from service.task_content
              where content_hash = t.content_hash and requester = t.requester and task_visibility = 'public'
              limit 1
            ) as c
            where t.id = any(array(select id from lacking)) ${matches as never}
          ) union (
            select id from lacking where was_changed limit ${MAX_UNDONE}
          )
        ) as uncovered
      from service.task_search_state state
      join indexed_head head on ${isServed(statement)}
      where state.complete`,
  )
  return found?.isCovering === true ? found : null
}

/** `TaskSearchCoverage.version` in the snapshot of a statement; null while the table is not filled. */
export function searchVersion(sql: Queryable) {
  return sql`(
    select concat_ws(' ', state.xmin, head.version, (select count(*) from service.task_search_pending))
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

/**
 * Lets one process fill it at a time. First in a transaction: its snapshot is taken afterwards, and so has what the
 * process before stored.
 */
export async function lockTaskSearch(tx: Queryable): Promise<void> {
  await tx`lock table service.task_search_state in share row exclusive mode`
}

/** The indexer's newest block and deployment, and the state as it is; null while rows may be missing. */
export async function findFillState(
  sql: Queryable,
): Promise<{ head: bigint; schemaVersion: string; state: TaskSearchState | null } | null> {
  const rows = await sql<(TaskSearchState & { head: bigint; indexedSchema: string; hasState: boolean })[]>`
    select head.block_number as head, head.schema_version as indexed_schema, state.*,
      state.id is not null as has_state
    from indexed_head head left join service.task_search_state state on true
    where head.ready`
  const [row] = rows
  if (row === undefined) return null
  const { head, indexedSchema, hasState, ...state } = row
  return { head, schemaVersion: indexedSchema, state: hasState ? state : null }
}

/**
 * Lets lists read the rows alone, and empties the table by at most `limit` tasks, for another deployment is served or texts
 * were corrected.
 * @returns whether it is empty
 */
export async function clearTaskSearch(tx: Queryable, limit: number): Promise<boolean> {
  await tx`delete from service.task_search_state`
  await tx`delete from service.task_search_tentative`
  const { count } = await tx`
    delete from service.task_search where ctid = any(array(select ctid from service.task_search limit ${limit}))`
  return count < limit
}

/**
 * The block until which at most about `limit` updates after a state are, at most `block`: all of a block's are taken
 * together.
 */
export async function findNextUpdates(
  tx: Queryable,
  { state, block, limit }: { state: TaskSearchState; block: bigint; limit: number },
): Promise<bigint> {
  const rows = await tx<{ count: number; last: bigint | null }[]>`
    select count(*)::int as count, max(block_number) as last from (
      select block_number from task_event
      where name = 'TaskUpdated' and block_timestamp >= ${state.blockTimestamp}
        and block_number > ${state.blockNumber} and block_number <= ${block}
      order by block_timestamp limit ${limit}
    ) as next`
  const [{ count, last } = { count: 0, last: null }] = rows
  return count < limit || last === null ? block : last
}

/**
 * The creation of the last of the next `limit` tasks of final blocks; null when there are none.
 * @param createdAtMs the last that is covered
 */
export async function findNextCreation(
  tx: Queryable,
  { createdAtMs, block, limit }: { createdAtMs: bigint; block: bigint; limit: number },
): Promise<bigint | null> {
  const rows = await tx<{ last: bigint | null }[]>`
    select max(created_at_ms) as last from (
      select created_at_ms from task
      where created_at_ms > ${createdAtMs} and block_number <= ${block}
      order by created_at_ms limit ${limit}
    ) as next`
  return rows[0]?.last ?? null
}

/** Stores the tasks that were created in a span of time: after `from`, until `to`. */
export async function storeCreated(tx: Queryable, { from, to }: { from: bigint; to: bigint }): Promise<void> {
  await store(tx, tx`select id from task where created_at_ms > ${from} and created_at_ms <= ${to} and listed`)
}

/**
 * Stores again the tasks that were covered and may have changed since: updated after a state until a block, with an update
 * that was not final at the state, or with texts that were stored since, at most `limit` of these.
 * @returns whether there may be more texts
 */
export async function storeChanged(
  tx: Queryable,
  { state, block, limit }: { state: TaskSearchState; block: bigint; limit: number },
): Promise<boolean> {
  const stored = await tx<{ requester: string; contentHash: string }[]>`
    delete from service.task_search_pending
    where ctid = any(array(select ctid from service.task_search_pending limit ${limit}))
    returning requester, content_hash`
  const rows = await tx<{ id: string }[]>`
    with stored as (
      select * from unnest(${stored.map(({ requester }) => requester)}::text[], ${stored.map(({ contentHash }) => contentHash)}::text[])
        as stored (requester, content_hash)
    ),
      tentative as (delete from service.task_search_tentative returning task_id)
    select t.id from stored join task t on t.content_hash = stored.content_hash and t.requester = stored.requester
    where t.created_at_ms <= ${state.createdAtMs}
    union
    select task_id from tentative join task t on t.id = task_id where t.created_at_ms <= ${state.createdAtMs}
    union
    select e.task_id from task_event e join task t on t.id = e.task_id
    where e.name = 'TaskUpdated' and e.block_timestamp >= ${state.blockTimestamp}
      and e.block_number > ${state.blockNumber} and e.block_number <= ${block}
      and t.created_at_ms <= ${state.createdAtMs}`
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) {
    await tx`delete from service.task_search where task_id = any(${ids}::text[])`
    await store(tx, tx`select unnest(${ids}::text[]) as id`)
  }
  return stored.length === limit
}

/** Notes the tasks with an update after a boundary: they are stored as the update left them, and it is not final. */
export async function noteTentative(tx: Queryable, { block, time }: Boundary): Promise<void> {
  await tx`
    insert into service.task_search_tentative
    select distinct task_id from task_event
    where name = 'TaskUpdated' and block_timestamp >= ${time} and block_number > ${block}`
}

/** In the order of creation: neighbours in time are then neighbours in the table. */
async function store(tx: Queryable, ids: PromiseLike<unknown>): Promise<void> {
  await tx`
    insert into service.task_search (task_id, created_at_ms, content_hash, tags, search)
    select t.id, t.created_at_ms, t.content_hash, c.tags, c.search
    from (${ids as never}) as chosen
    join task t on t.id = chosen.id
    join service.task_content c
      on c.requester = t.requester and c.content_hash = t.content_hash and c.task_visibility = 'public'
    where t.listed
    order by t.created_at_ms
    on conflict (task_id) do update set created_at_ms = excluded.created_at_ms, content_hash = excluded.content_hash,
      tags = excluded.tags, search = excluded.search`
}

/** Records up to where it is filled. */
export async function setTaskSearchState(tx: Queryable, state: TaskSearchState): Promise<void> {
  const { schemaVersion, createdAtMs, blockNumber, blockTimestamp, complete, caughtUp } = state
  await tx`
    insert into service.task_search_state (schema_version, created_at_ms, block_number, block_timestamp, complete, caught_up)
    values (${schemaVersion}, ${createdAtMs}, ${blockNumber}, ${blockTimestamp}, ${complete}, ${caughtUp})
    on conflict (id) do update set schema_version = excluded.schema_version, created_at_ms = excluded.created_at_ms,
      block_number = excluded.block_number, block_timestamp = excluded.block_timestamp, complete = excluded.complete,
      caught_up = excluded.caught_up`
}
