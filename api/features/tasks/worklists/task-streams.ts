import type { Address } from 'viem'
import type { Queryable } from '../../../db/client.ts'
import { alongIndex, type Part } from '../list/along-index.ts'

/**
 * The SQL parts that select the tasks of an address in one role, newest first. For each address, the database index of
 * the stream has two ranges: the listed tasks, which every caller may see, and the unlisted tasks. `newestOf` reads the
 * ranges.
 */
export interface Stream {
  /** The columns `id` and `created_at_ms` of the task. */
  columns: Part
  from: Part
  /**
   * The index column with the address, the index column that separates listed from unlisted tasks (`listed`), and the
   * index expression for the order (`newestFirst`).
   */
  address: Part
  listed: Part
  newestFirst: Part
  /** The SQL condition that selects the tasks of the stream. It is the predicate of the stream's index. */
  condition: Part
}

/**
 * Returns the stream of tasks that the address created: the running tasks if `isRunning` is true, else the ended tasks.
 */
export function requestedStream(sql: Queryable, isRunning: boolean): Stream {
  return taskStream(sql, sql`t.requester`, isRunning ? sql`t.ended_at is null` : sql`t.ended_at is not null`)
}

/** Returns the stream of completed tasks that the address created and that have at least one award without a rating. */
export function unratedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.requester`, sql`t.unrated_awards > 0`)
}

/**
 * Returns the stream of tasks to which the address is assigned as the worker: the running tasks if `isRunning` is true,
 * else the ended tasks.
 */
export function assignedStream(sql: Queryable, isRunning: boolean): Stream {
  return taskStream(sql, sql`t.worker`, isRunning ? sql`t.ended_at is null` : sql`t.ended_at is not null`)
}

/** Returns the stream of running tasks whose evaluator is the address. */
export function evaluatedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.evaluator`, sql`t.ended_at is null`)
}

/** Returns the stream of running tasks whose dispute resolver is the address. */
export function resolvedStream(sql: Queryable): Stream {
  return taskStream(sql, sql`t.dispute_resolver`, sql`t.ended_at is null`)
}

/**
 * Returns the stream of tasks that the address entered by a pitch, a bid, a submission or a proof: the running tasks if
 * `isRunning` is true, else the ended tasks.
 */
export function entryStream(sql: Queryable, isRunning: boolean): Stream {
  return {
    columns: sql`e.task_id as id, e.task_created_at_ms as created_at_ms`,
    from: sql`task_entry e`,
    address: sql`e.worker`,
    listed: sql`e.listed`,
    newestFirst: sql`(-e.task_created_at_ms)`,
    condition: isRunning ? sql`e.running` : sql`not e.running`,
  }
}

/**
 * Returns the SQL of the newest tasks of a stream. The stream has unlisted tasks only if the caller is the address
 * itself.
 */
export function newestOf(
  sql: Queryable,
  stream: Stream,
  { address, isOwn, limit, before }: { address: Address; isOwn: boolean; limit: number; before?: bigint | undefined },
): Part {
  const half = (isListed: boolean) =>
    alongIndex(sql, {
      columns: stream.columns,
      from: stream.from,
      where: sql`
        ${stream.address} = ${address} and ${stream.listed} = ${isListed} and ${stream.condition}
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

/**
 * Returns the SQL that joins task `t` with the content of its creation, as `content`, and keeps only public tasks. A
 * task whose content is not stored is left out as well.
 */
export function publicContent(sql: Queryable): Part {
  return sql`
    cross join lateral (
      select submission_visibility from service.task_content
      where requester = t.requester and content_hash = t.created_content_hash and task_visibility = 'public'
      limit 1
    ) as content`
}

/**
 * Returns a stream with only the public tasks of `stream`. In `stream.from`, the alias of the task table must be `t`.
 */
export function ofPublicTasks(sql: Queryable, stream: Stream): Stream {
  return { ...stream, from: sql`${stream.from} ${publicContent(sql)}` }
}
