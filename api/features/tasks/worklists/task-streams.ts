import type { Address } from 'viem'
import type { Queryable } from '../../../db/client.ts'
import { alongIndex, type Part } from '../list/along-index.ts'

/**
 * The tasks of an address in one role, which an index of the indexer holds in the order of their creation: one half
 * of listed ones, which others may be shown, and one of all others.
 */
export interface Stream {
  /** `id` and `created_at_ms` of the task. */
  columns: Part
  from: Part
  /** The columns of the address and of the half, and the order, as they stand in the index. */
  address: Part
  listed: Part
  newestFirst: Part
  /** The predicate of the index. */
  condition: Part
}

/** Created by the address. */
export function requestedStream(sql: Queryable, running: boolean): Stream {
  return taskStream(sql, sql`t.requester`, running ? sql`t.ended_at is null` : sql`t.ended_at is not null`)
}

/** Completed tasks of the address with an award that it can rate. */
export function unratedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.requester`, sql`t.unrated_awards > 0`)
}

/** Assigned to the address. */
export function assignedStream(sql: Queryable, running: boolean): Stream {
  return taskStream(sql, sql`t.worker`, running ? sql`t.ended_at is null` : sql`t.ended_at is not null`)
}

/** Judged by the address, and still running. */
export function evaluatedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.evaluator`, sql`t.ended_at is null`)
}

/** Settled by the address in a dispute, and still running. */
export function resolvedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.dispute_resolver`, sql`t.ended_at is null`)
}

/** Entered by the address: a pitch, a bid, a submission or a proof. */
export function entryStream(sql: Queryable, running: boolean): Stream {
  return {
    columns: sql`e.task_id as id, e.task_created_at_ms as created_at_ms`,
    from: sql`task_entry e`,
    address: sql`e.worker`,
    listed: sql`e.listed`,
    newestFirst: sql`(-e.task_created_at_ms)`,
    condition: running ? sql`e.running` : sql`not e.running`,
  }
}

/** The newest of a stream: of the listed half, for the address itself of both. */
export function newestOf(
  sql: Queryable,
  stream: Stream,
  { address, isOwn, limit, before }: { address: Address; isOwn: boolean; limit: number; before?: bigint | undefined },
): Part {
  const half = (listed: boolean) =>
    alongIndex(sql, {
      columns: stream.columns,
      from: stream.from,
      where: sql`
        ${stream.address} = ${address} and ${stream.listed} = ${listed} and ${stream.condition}
        ${before === undefined ? sql`` : sql`and ${stream.newestFirst} > ${-before}`}`,
      order: stream.newestFirst,
      limit,
    })
  const halves = isOwn ? sql`${half(true)} union all ${half(false)}` : half(true)
  return sql`select * from (${halves}) as halves order by created_at_ms desc limit ${limit}`
}

function taskStream(sql: Queryable, address: Part, condition: Part): Stream {
  return {
    columns: sql`t.id, t.created_at_ms`,
    from: sql`task t`,
    address,
    listed: sql`t.listed`,
    newestFirst: sql`(-t.created_at_ms)`,
    condition,
  }
}

/** The content that public task `t` was created with, as `content`; a task without it is none of others' business. */
export function publicContent(sql: Queryable): Part {
  return sql`
    cross join lateral (
      select submission_visibility from service.task_content
      where requester = t.requester and content_hash = t.created_content_hash and task_visibility = 'public'
      limit 1
    ) as content`
}

/** Of a stream of tasks `t`, the public ones. */
export function ofPublicTasks(sql: Queryable, stream: Stream): Stream {
  return { ...stream, from: sql`${stream.from} ${publicContent(sql)}` }
}
