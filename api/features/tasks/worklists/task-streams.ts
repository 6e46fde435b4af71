import type { Address } from 'viem'
import type { Queryable } from '../../../db/client.ts'
import { alongIndex, type Part } from '../list/along-index.ts'

/**
 * The tasks of an address in one role, from an index in the order of their creation: one half of listed ones, which
 * others may see, and one of all others.
 */
export interface Stream {
  /** `id` and `created_at_ms` of the task. */
  columns: Part
  from: Part
  /** The columns of the address and of the half, and the order, as in the index. */
  address: Part
  listed: Part
  newestFirst: Part
  /** The predicate of the index. */
  condition: Part
}

/** Returns the tasks created by the address. */
export function requestedStream(sql: Queryable, running: boolean): Stream {
  return taskStream(sql, sql`t.requester`, running ? sql`t.ended_at is null` : sql`t.ended_at is not null`)
}

/** Returns the completed tasks of the address with an award that it can rate. */
export function unratedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.requester`, sql`t.unrated_awards > 0`)
}

/** Returns the tasks assigned to the address. */
export function assignedStream(sql: Queryable, running: boolean): Stream {
  return taskStream(sql, sql`t.worker`, running ? sql`t.ended_at is null` : sql`t.ended_at is not null`)
}

/** Returns the running tasks evaluated by the address. */
export function evaluatedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.evaluator`, sql`t.ended_at is null`)
}

/** Returns the running tasks whose disputes the address resolves. */
export function resolvedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.dispute_resolver`, sql`t.ended_at is null`)
}

/** Returns the tasks that the address entered by a pitch, a bid, a submission or a proof. */
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

/** Returns the newest of a stream: of the listed half, and for the address itself of both. */
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

/** Returns the content at the creation of public task `t`, as `content`; a task without it is hidden from others. */
export function publicContent(sql: Queryable): Part {
  return sql`
    cross join lateral (
      select submission_visibility from service.task_content
      where requester = t.requester and content_hash = t.created_content_hash and task_visibility = 'public'
      limit 1
    ) as content`
}

/** Returns the public ones of a stream of tasks `t`. */
export function ofPublicTasks(sql: Queryable, stream: Stream): Stream {
  return { ...stream, from: sql`${stream.from} ${publicContent(sql)}` }
}
