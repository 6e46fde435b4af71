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

/** Tasks of each role that are looked through. Interface, "Agents, inbox, action queue". */
const MAX_CANDIDATES = 1000

/** Items in one answer, and entries of `waiting`. */
export const MAX_SHOWN = 200

/** A task that an address may have to act on, and the part that the address has in it. */
export interface CandidateRow extends SnapshotRow {
  mode: Task['mode']
  status: Task['status']
  referenceCode: string
  createdAtMs: bigint
  submissionVisibility: SubmissionVisibility | null
  lowestBidder: Address | null
  /** Submissions of the address that stand. */
  ownActiveSubmissionCount: number
}

/** What a queue is made of. */
export interface Candidates {
  rows: CandidateRow[]
  /** Tasks to rate besides: each is one item, which stands behind everything that is shown. */
  olderToRate: number
}

/**
 * The newest running tasks of an address in each role, and the newest completed ones with a worker that it has not
 * rated. To others than itself: listed ones. The ids along their indexes, then the rows by their keys; more rows than
 * one role has in two statements side by side, of which the database makes one while the other is read.
 *
 * A rating is never due: of these items the newest are shown, as many as an answer has, and the others are counted.
 */
export async function listCandidates(sql: Database, address: Address, isOwn: boolean): Promise<Candidates> {
  const found = await sql<{ id: Hex; isOlder: boolean }[]>`${candidateIdsQuery(sql, address, isOwn)}`
  const ids = found.flatMap(({ id, isOlder }) => (isOlder ? [] : [id]))
  return { rows: await listRowsOf(sql, address, ids), olderToRate: found.length - ids.length }
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

/** What the titles of tasks are made of, by id; of tasks without content here there is none. */
export async function listDescriptions(sql: Database, taskIds: readonly Hex[]): Promise<Map<Hex, string>> {
  if (taskIds.length === 0) return new Map()
  const rows = await sql<{ id: Hex; description: string }[]>`
    select t.id, c.description
    from task t
    join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    where t.id = any(${taskIds as Hex[]}::text[])`
  return new Map(rows.map(({ id, description }) => [id, description]))
}

/** The statement that finds the ids; `is_older`: to be counted, not shown. */
export function candidateIdsQuery(sql: Queryable, address: Address, isOwn: boolean): Part {
  const newest = (stream: Parameters<typeof newestOf>[1]) =>
    newestOf(sql, stream, { address, isOwn, limit: MAX_CANDIDATES })
  // Each of these is counted as an item, so others are given those alone that they may see.
  const unrated = isOwn ? unratedStream(sql) : ofPublicTasks(sql, unratedStream(sql))
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
    select id, row_number() over (order by created_at_ms desc) > ${MAX_SHOWN} from (${newest(unrated)}) as unrated`
}
