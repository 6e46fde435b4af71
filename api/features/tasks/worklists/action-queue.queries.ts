import type { Address, Hex } from 'viem'
import type { SubmissionVisibility } from '../../../../protocol/visibilities.ts'
import type { Database, Queryable } from '../../../db/client.ts'
import { type SnapshotRow, snapshotColumns, snapshotTables } from '../../../read-model/task-snapshot.queries.ts'
import type { Part } from '../list/along-index.ts'
import type { Task } from '../tasks.schemas.ts'
import {
  assignedStream,
  entryStream,
  evaluatedStream,
  newestOf,
  ofPublicTasks,
  requestedStream,
  resolvedStream,
  unratedStream,
} from './task-streams.ts'

/**
 * The largest number of tasks that are read for each role. See the interface specification, "Agents, inbox, action
 * queue".
 */
const MAX_CANDIDATES = 1000

/** The largest number of items in one answer, and of entries in its `waiting`. */
export const MAX_SHOWN = 200

/**
 * A task in which an address may have to act. `ownActiveSubmissionCount` is about the address; the other columns are
 * about the task.
 */
export interface CandidateRow extends SnapshotRow {
  mode: Task['mode']
  status: Task['status']
  referenceCode: string
  createdAtMs: bigint
  submissionVisibility: SubmissionVisibility | null
  lowestBidder: Address | null
  /** The number of active submissions that the address has made to the task. */
  ownActiveSubmissionCount: number
}

/** The tasks from which the action queue of an address is made. */
export interface Candidates {
  rows: CandidateRow[]
  /**
   * The number of completed tasks with an unrated worker that are left out of `rows`, because `rows` has only the
   * newest such tasks. The total of the queue counts each task that is left out as one item.
   */
  olderToRate: number
}

/**
 * Lists the newest running tasks of an address in each role, and the newest completed tasks with an unrated worker. For
 * callers other than the address, only listed tasks are read.
 *
 * A rating has no deadline. So only as many tasks with an unrated worker are read as one answer can show. Older tasks
 * with an unrated worker are only counted.
 */
export async function listCandidates(sql: Database, address: Address, isOwn: boolean): Promise<Candidates> {
  // The ids are read from indexes first, and then the rows by key. Two concurrent statements read half of a large
  // number of rows each, so the database prepares one result while the other is received.
  const candidateIds = await sql<{ id: Hex; isOlder: boolean }[]>`${candidateIdsQuery(sql, address, isOwn)}`
  const ids = candidateIds.flatMap(({ id, isOlder }) => (isOlder ? [] : [id]))
  return { rows: await listRowsOf(sql, address, ids), olderToRate: candidateIds.length - ids.length }
}

async function listRowsOf(sql: Database, address: Address, ids: readonly Hex[]): Promise<CandidateRow[]> {
  if (ids.length === 0) return []
  if (ids.length <= MAX_CANDIDATES) return await listRows(sql, address, ids)
  const half = Math.ceil(ids.length / 2)
  const parts = await Promise.all([listRows(sql, address, ids.slice(0, half)), listRows(sql, address, ids.slice(half))])
  return parts.flat()
}

async function listRows({ byKey }: Database, address: Address, ids: readonly Hex[]): Promise<CandidateRow[]> {
  return await byKey<CandidateRow[]>`
    select ${snapshotColumns(byKey)}, t.reference_code, t.created_at_ms, t.lowest_bidder,
      created.submission_visibility, coalesce(own.active_submission_count, 0) as own_active_submission_count
    from ${snapshotTables(byKey)}
    left join task_entry own on own.id = t.id || ':' || ${address}::text
    where t.id = any(${ids as Hex[]}::text[])`
}

/** Returns the descriptions of tasks by id. A task is absent if its content is not stored here. */
export async function listDescriptions(sql: Database, taskIds: readonly Hex[]): Promise<Map<Hex, string>> {
  if (taskIds.length === 0) return new Map()
  const rows = await sql<{ id: Hex; description: string }[]>`
    select t.id, c.description
    from task t
    join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    where t.id = any(${taskIds as Hex[]}::text[])`
  return new Map(rows.map(({ id, description }) => [id, description]))
}

/**
 * Returns the statement that finds the ids of the tasks for `listCandidates`. The column `is_older` is true for a task
 * that counts toward the total of the queue but is not shown, because enough newer tasks are shown.
 */
export function candidateIdsQuery(sql: Queryable, address: Address, isOwn: boolean): Part {
  const newest = (stream: Parameters<typeof newestOf>[1]) =>
    newestOf(sql, stream, { address, isOwn, limit: MAX_CANDIDATES })
  // Each of these counts as an item, so other callers get only those they may see.
  const unratedTasks = isOwn ? unratedStream(sql) : ofPublicTasks(sql, unratedStream(sql))
  return sql`
    select running.id, false as is_older from (
      select id from (${newest(requestedStream(sql, true))}) as requested
      union select id from (${newest(evaluatedStream(sql))}) as evaluated
      union select id from (${newest(resolvedStream(sql))}) as resolved
      union select id from (
        select id, created_at_ms from (${newest(assignedStream(sql, true))}) as assigned
        union select id, created_at_ms from (${newest(entryStream(sql, true))}) as entered
        order by created_at_ms desc limit ${MAX_CANDIDATES}
      ) as worked
    ) as running
    union all
    select id, row_number() over (order by created_at_ms desc) > ${MAX_SHOWN} from (${newest(unratedTasks)}) as unrated`
}
