import type { Address, Hex } from 'viem'
import { toTaskWorkerId } from '../../protocol/rules/row-ids.ts'
import { isContest, parseAuctionType, parseTaskMode } from '../../protocol/rules/selectors.ts'
import { parseTaskStatus } from '../../protocol/rules/task-status.ts'
import { keepingPlans, type Queryable } from '../db/client.ts'
import type { EntryFacts, PitchFacts, SubmissionFacts, TaskSnapshot } from '../domain/task-snapshot.ts'
import { createdContent, participantsColumn, viewersColumn } from './task-access.ts'

/**
 * Returns a task's snapshot for the rules of a write. The snapshot includes the entries of the given workers, and the
 * task's writes that are being mined. Returns null if the task does not exist.
 */
export async function loadTaskSnapshot(
  sql: Queryable,
  taskId: Hex,
  workers: readonly Address[] = [],
): Promise<TaskSnapshot | null> {
  const plannedSql = keepingPlans(sql)
  const [[row], entries] = await Promise.all([
    plannedSql<SnapshotRow[]>`
      select ${snapshotColumns(plannedSql)}, ${beingMinedColumn(plannedSql)}
      from ${snapshotTables(plannedSql)}
      where t.id = ${taskId}`,
    listEntries(sql, taskId, workers),
  ])
  return row === undefined ? null : { ...toSnapshot(row), entries }
}

/**
 * The longest time in seconds for which a broadcast transaction blocks conflicting writes to its task. After this time
 * it blocks nothing, because it may never be mined.
 */
const EXCLUDES_FOR_SECONDS = 60
/**
 * The time in seconds for which a failed write to a task ends all blocking. During this time, no write that is being
 * mined blocks other writes to the task. Otherwise, a series of failing writes could block the task without end.
 */
const FAILED_FOR_SECONDS = 600

/**
 * Selects the operations of the task's writes that are being mined or not indexed yet. These writes block conflicting
 * writes to the task. Calls of the class `foreign` block nothing and are excluded: a foreign call runs code of another
 * account, and the owner of that account could make the call fail.
 */
function beingMinedColumn(sql: Queryable) {
  return sql`
    array(
      select i.operation from service.intents i
      where service.task_of_call(i.calldata) = t.id and i.kind = 'market' and i.watched
        and i.status in ('broadcast', 'completed') and i.relay_class = 'plain'
        and case i.status
          when 'broadcast' then i.status_at > now() - make_interval(secs => ${EXCLUDES_FOR_SECONDS})
          else i.block_number > (select block_number from indexed_head)
        end
        and not exists (
          select from service.intents failed
          where service.task_of_call(failed.calldata) = t.id and failed.kind = 'market' and failed.status = 'failed'
            and failed.status_at > now() - make_interval(secs => ${FAILED_FOR_SECONDS})
        )
    ) as being_mined`
}

/** Returns tasks' snapshots by id in one statement. The snapshots contain no entries of workers. */
export async function loadTaskSnapshots(sql: Queryable, taskIds: readonly Hex[]): Promise<Map<Hex, TaskSnapshot>> {
  if (taskIds.length === 0) return new Map()
  const plannedSql = keepingPlans(sql)
  const rows = await plannedSql<SnapshotRow[]>`
    select ${snapshotColumns(plannedSql)}
    from ${snapshotTables(plannedSql)}
    where t.id = any(${taskIds as Hex[]}::text[])`
  return new Map(rows.map((row) => [row.id, toSnapshot(row)]))
}

/** Returns the SQL columns of a `SnapshotRow`. The columns are read from the tables of `snapshotTables`. */
export function snapshotColumns(sql: Queryable) {
  return sql`
    t.id, t.requester, t.mode, t.auction_type, t.status, t.reward, t.escrow, t.platform_fee_bps, t.content_hash,
    t.created_at, t.expiry_time, t.pitch_deadline, t.bid_deadline, t.clock_price, t.stake_bps, t.tag_hashes,
    t.hook_set, t.worker, t.price, t.claim_round, t.objected, t.lowest_bid, t.pitch_count,
    t.bid_count, t.submission_count, t.active_submission_count, t.evaluator_deadline, t.appeal_deadline,
    t.resolution_deadline,
    t.evaluator, t.dispute_resolver, judged.fee_bps as evaluator_fee_bps, judged.evaluation_window,
    judged.appeal_window, judged.verdict,
    case when judged.verdict is null then '{}' else array(
      select worker from verdict_award
      where task_id = t.id and decided_by = 'evaluator'
      order by award_index
    ) end as verdict_awarded,
    case when t.active_submission_count > 0 then (
      select case when count(*) = 1 then min(worker) end
      from (select worker from task_entry where task_id = t.id and active_submission_count > 0 limit 2) as found
    ) end as sole_active_worker,
    case when t.pitch_count > 0 then (
      select case when count(*) = 1 then json_build_object('worker', min(worker), 'id', (
        select case when count(*) = 1 then min(id) end
        from (select id from pitch where task_id = t.id limit 2) as found
      )) end
      from (select worker from task_entry where task_id = t.id and pitched limit 2) as found
    ) end as sole_pitch,
    case when t.award_count > 0 then (
      select coalesce(json_agg(json_build_object('worker', worker, 'rated', rating is not null) order by rank), '[]')
      from award where task_id = t.id
    ) else '[]' end as awards,
    coalesce(created.task_visibility, 'unlisted') as task_visibility, ${participantsColumn(sql)}, ${viewersColumn(sql)},
    coalesce((select paused from market_config), false) as entries_paused`
}

/**
 * Returns the SQL tables of a snapshot: task `t`, the content of its creation (`created`), and its evaluation
 * (`judged`). An evaluation that timed out is left out.
 */
export function snapshotTables(sql: Queryable) {
  return sql`
    task t
    ${createdContent(sql)}
    left join evaluation judged on judged.task_id = t.id and judged.timed_out_at is null`
}

/** Returns submissions by id. The caller must check their task and worker. */
export async function listSubmissionFacts(sql: Queryable, ids: readonly Hex[]): Promise<Map<Hex, SubmissionFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<SubmissionFacts[]>`
    select id, task_id, worker, deliverable, rejected_at is not null as rejected
    from submission where id = any(${ids as Hex[]}::text[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the pitch with an id, or null. The caller must check the pitch's task and worker. */
export async function findPitchFacts(sql: Queryable, id: Hex): Promise<PitchFacts | null> {
  const rows = await sql<PitchFacts[]>`select id, task_id, worker from pitch where id = ${id}`
  return rows[0] ?? null
}

/** The database row of a snapshot. Mode, auction type and status are texts. The row has no entries of workers. */
export interface SnapshotRow extends Omit<TaskSnapshot, 'mode' | 'auctionType' | 'status' | 'entries'> {
  mode: string
  auctionType: string | null
  status: string
}

/**
 * Converts a database row to a snapshot without entries. The row's object is reused if possible, because a page has
 * many large rows. In a contest, the row's `worker` is only the first worker of the verdict, not an assigned worker.
 * The function therefore removes this worker.
 */
export function toSnapshot(row: SnapshotRow): TaskSnapshot {
  const mode = parseTaskMode(row.mode)
  return Object.assign(isContest(mode) && row.worker !== null ? { ...row, worker: null } : row, {
    mode,
    auctionType: parseAuctionType(row.auctionType),
    status: parseTaskStatus(row.status),
    entries: new Map(),
  })
}

async function listEntries(
  sql: Queryable,
  taskId: Hex,
  workers: readonly Address[],
): Promise<ReadonlyMap<Address, EntryFacts>> {
  if (workers.length === 0) return new Map()
  const rows = await sql<(EntryFacts & { worker: Address })[]>`
    select e.worker, e.submission_count, e.active_submission_count, e.rejected, e.pitched, e.bid, s.deliverable as latest_deliverable
    from task_entry e
    left join submission s on s.id = e.last_submission_id
    where e.id = any(${workers.map((worker) => toTaskWorkerId(taskId, worker))}::text[])`
  return new Map(rows.map(({ worker, ...entry }) => [worker, entry]))
}
