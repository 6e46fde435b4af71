import type { Queryable } from '../db/client.ts'
import type { Boundary } from './final-blocks.queries.ts'

/** The progress of filling `service.task_search` with the public tasks of the served indexer deployment. */
export interface TaskSearchState {
  schemaVersion: string
  /** The creation time (Unix milliseconds) up to which the table contains every task. */
  createdAtMs: bigint
  /**
   * The block up to which the table contains every update. Every later block has at least the timestamp
   * `blockTimestamp` (Unix seconds).
   */
  blockNumber: bigint
  blockTimestamp: bigint
  /**
   * True once a fill has stored every task up to the block that was the newest final block when the fill ran. False
   * again after the table is cleared.
   */
  complete: boolean
  /**
   * True if the most recent fill has stored all tasks, updates and new task contents up to the block that was the
   * newest final block when the fill ran.
   */
  caughtUp: boolean
}

/**
 * Locks the progress of filling the search table, so only one process at a time fills the table. Call this function
 * first in the transaction, because the first statement fixes which rows the transaction sees.
 */
export async function lockTaskSearch(tx: Queryable): Promise<void> {
  await tx`lock table service.task_search_state in share row exclusive mode`
}

/**
 * Returns the newest indexed block (`head`), the indexer's deployment, and the progress of filling. Returns null while
 * the indexer's rows may be incomplete.
 */
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
 * Deletes the record of how far the search table is filled, and at most `limit` tasks of the table. Called if the
 * indexer's deployment has changed or task contents were corrected. Lists of tasks do not use the table until it is
 * filled again.
 * @returns true if the table is empty
 */
export async function clearTaskSearch(tx: Queryable, limit: number): Promise<boolean> {
  await tx`delete from service.task_search_state`
  await tx`delete from service.task_search_tentative`
  const { count } = await tx`
    delete from service.task_search where ctid = any(array(select ctid from service.task_search limit ${limit}))`
  return count < limit
}

/**
 * Returns the last block of the next fill. The fill reads the updates of whole blocks, from the first block after
 * `state.blockNumber`. If `limit` or more updates follow up to `block`, the last block is the block with the `limit`-th
 * update. Otherwise the last block is `block`.
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
 * Finds the next `limit` tasks that were created after `createdAtMs` and up to `block`. Returns the creation time (Unix
 * milliseconds) of the last of these tasks. Returns null if there is no such task.
 * @param createdAtMs the creation time of the last stored task
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

/**
 * Stores the tasks that were created after `from` and up to `to` (Unix milliseconds). Only tasks that their requesters
 * listed on chain are stored.
 */
export async function storeCreated(tx: Queryable, { from, to }: { from: bigint; to: bigint }): Promise<void> {
  await store(tx, tx`select id from task where created_at_ms > ${from} and created_at_ms <= ${to} and listed`)
}

/**
 * Stores again the tasks that may have changed since the last fill: updated tasks, tasks that `noteTentative` recorded,
 * and tasks whose content (description and tags) was stored since. At most `limit` of the new contents are processed.
 * @returns true if more new contents are left
 */
export async function storeChanged(
  tx: Queryable,
  { state, block, limit }: { state: TaskSearchState; block: bigint; limit: number },
): Promise<boolean> {
  const rows = await tx<{ id: string }[]>`
    with stored as (
        delete from service.task_search_pending
        where ctid = any(array(select ctid from service.task_search_pending limit ${limit}))
        returning requester, content_hash
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
  const [remainder] = await tx<
    { hasMore: boolean }[]
  >`select exists (select from service.task_search_pending) as has_more`
  return remainder?.hasMore === true
}

/** Records the tasks that were updated after the boundary's block, because a reorg can still revert these updates. */
export async function noteTentative(tx: Queryable, { block, time }: Boundary): Promise<void> {
  await tx`
    insert into service.task_search_tentative
    select distinct task_id from task_event
    where name = 'TaskUpdated' and block_timestamp >= ${time} and block_number > ${block}`
}

/** Stores tasks in the order of creation. Tasks of similar age are then close to each other on disk. */
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

/** Stores the progress of filling the search table. */
export async function setTaskSearchState(tx: Queryable, state: TaskSearchState): Promise<void> {
  const { schemaVersion, createdAtMs, blockNumber, blockTimestamp, complete, caughtUp } = state
  await tx`
    insert into service.task_search_state (schema_version, created_at_ms, block_number, block_timestamp, complete, caught_up)
    values (${schemaVersion}, ${createdAtMs}, ${blockNumber}, ${blockTimestamp}, ${complete}, ${caughtUp})
    on conflict (id) do update set schema_version = excluded.schema_version, created_at_ms = excluded.created_at_ms,
      block_number = excluded.block_number, block_timestamp = excluded.block_timestamp, complete = excluded.complete,
      caught_up = excluded.caught_up`
}
