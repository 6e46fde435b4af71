import type { Address, Hex } from 'viem'
import type { Database, Queryable } from '../../../db/client.ts'
import type { SubmissionVisibility } from '../../../domain/creation/creation-terms.ts'
import { type SnapshotRow, snapshotColumns, snapshotTables } from '../../../read-model/task-snapshot.queries.ts'
import type { Task } from '../tasks.schemas.ts'
import {
  assignedStream,
  entryStream,
  evaluatedStream,
  type Fragment,
  newestOf,
  requestedStream,
  resolvedStream,
  unratedStream,
} from './task-streams.ts'

/** Tasks of each role that are looked through. Interface, "Agents, inbox, action queue". */
const MAX_CANDIDATES = 1000

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

/**
 * The newest running tasks of an address in each role, and the newest completed ones with a worker that it has not
 * rated. To others than itself: listed ones. The ids along their indexes, then the rows by their keys; more rows than
 * one role has in two statements side by side, of which the database makes one while the other is read.
 */
export async function listCandidates(sql: Database, address: Address, isOwn: boolean): Promise<CandidateRow[]> {
  const ids = await listCandidateIds(sql, address, isOwn)
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

async function listCandidateIds(sql: Database, address: Address, isOwn: boolean): Promise<Hex[]> {
  const rows = await sql<{ id: Hex }[]>`${candidateIdsQuery(sql, address, isOwn)}`
  return rows.map(({ id }) => id)
}

/** The statement that finds the ids. */
export function candidateIdsQuery(sql: Queryable, address: Address, isOwn: boolean): Fragment {
  const newest = (stream: Parameters<typeof newestOf>[1]) =>
    newestOf(sql, stream, { address, isOwn, limit: MAX_CANDIDATES })
  return sql`
    select id from (${newest(requestedStream(sql, true))}) as requested
    union select id from (${newest(unratedStream(sql))}) as unrated
    union select id from (${newest(evaluatedStream(sql))}) as evaluated
    union select id from (${newest(resolvedStream(sql))}) as resolved
    union select id from (
      select id, created_at_ms from (${newest(assignedStream(sql, true))}) as assigned
      union select id, created_at_ms from (${newest(entryStream(sql, true))}) as entered
      order by created_at_ms desc limit ${MAX_CANDIDATES}
    ) as worked`
}
