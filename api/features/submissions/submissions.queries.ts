import type { Address, Hex } from 'viem'
import type { TaskMode } from '../../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../../protocol/rules/task-status.ts'
import { keepingPlans, type Queryable } from '../../db/client.ts'

export interface SubmissionRow {
  id: Hex
  referenceCode: string
  taskId: Hex
  worker: Address
  deliverable: Hex
  submissionIndex: number
  submittedAt: bigint
  rejectedAt: bigint | null
  transactionHash: Hex
  /** The worker's signature, or null if the submission was made without this service. */
  signature: string | null
  /** The worker's ERC-8004 id, or null if the worker has none. */
  agentId: bigint | null
  completedTasks: number | null
  ratedTasks: number | null
  totalStars: number | null
}

/** The filter, position and size of a page of submissions. */
export interface SubmissionPage {
  /** The workers whose submissions are listed. Absent to list the submissions of all workers. */
  workers?: Address[]
  /** The id of the last submission of the previous page. */
  after?: Hex
  limit: number
}

/** Lists a task's submissions in the order in which they were committed on chain, with the records of their workers. */
export async function listSubmissions(
  sql: Queryable,
  taskId: Hex,
  { workers, after, limit }: SubmissionPage,
): Promise<SubmissionRow[]> {
  const plannedSql = keepingPlans(sql)
  return await plannedSql<SubmissionRow[]>`
    select s.id, s.reference_code, s.task_id, s.worker, s.deliverable, s.submission_index, s.submitted_at,
      s.rejected_at, s.transaction_hash, content.signature,
      a.agent_id, a.completed_tasks, a.rated_tasks, a.total_stars
    from submission s
    left join service.submission_content content
      on content.task_id = s.task_id and content.worker = s.worker and content.deliverable = s.deliverable
    left join agent a on a.address = s.worker
    where s.task_id = ${taskId}
      ${workers === undefined ? plannedSql`` : plannedSql`and s.worker = any(${workers}::text[])`}
      ${
        after === undefined
          ? plannedSql``
          : plannedSql`and s.submission_index > (
              select submission_index from submission where id = ${after} and task_id = ${taskId})`
      }
    order by s.submission_index
    limit ${limit}`
}

export interface ManifestRow {
  worker: Address
  deliverable: Hex
  transactionHash: Hex
  /** The exact bytes whose hash is the deliverable, or null if the submission was made without this service. */
  manifest: string | null
}

/** Returns the manifest of a task's submission, or null if the task has no such submission. */
export async function findManifest(sql: Queryable, taskId: Hex, submissionId: Hex): Promise<ManifestRow | null> {
  const rows = await sql<ManifestRow[]>`
    select s.worker, s.deliverable, s.transaction_hash, content.manifest
    from submission s
    left join service.submission_content content
      on content.task_id = s.task_id and content.worker = s.worker and content.deliverable = s.deliverable
    where s.id = ${submissionId} and s.task_id = ${taskId}`
  return rows[0] ?? null
}

/**
 * A submission with columns of its task, for the list of a worker. The reward is in base units of USDC, times in Unix
 * seconds.
 */
export interface MySubmissionRow {
  id: Hex
  taskId: Hex
  deliverable: Hex
  submittedAt: bigint
  rejectedAt: bigint | null
  transactionHash: Hex
  /** The task's description, or null if the service stores no content of the task. */
  description: string | null
  status: TaskStatus
  mode: TaskMode
  reward: bigint
}

/**
 * Lists a worker's submissions to all tasks, newest first. The list begins after the submission with the id `after`, if
 * `after` is given.
 */
export async function listSubmissionsOf(
  sql: Queryable,
  worker: Address,
  { after, limit }: Pick<SubmissionPage, 'limit'> & { after?: Hex | undefined },
): Promise<MySubmissionRow[]> {
  return await sql<MySubmissionRow[]>`
    select s.id, s.task_id, s.deliverable, s.submitted_at, s.rejected_at, s.transaction_hash, c.description, t.status,
      t.mode, t.reward
    from submission s
    join task t on t.id = s.task_id
    left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    where s.worker = ${worker}
      ${
        after === undefined
          ? sql``
          : sql`and (s.submitted_at, s.block_number, s.log_index, s.id) < (
              select submitted_at, block_number, log_index, id from submission where id = ${after} and worker = ${worker})`
      }
    order by s.submitted_at desc, s.block_number desc, s.log_index desc, s.id desc
    limit ${limit}`
}

/** Returns true if `worker` made the submission with this id. */
export async function isSubmissionOf(sql: Queryable, worker: Address, id: Hex): Promise<boolean> {
  const rows = await sql`select from submission where id = ${id} and worker = ${worker}`
  return rows.length > 0
}

/** Returns the worker and the deliverable of a task's submission, or null if the task has no such submission. */
export async function findDelivery(
  sql: Queryable,
  taskId: Hex,
  submissionId: Hex,
): Promise<{ worker: Address; deliverable: Hex } | null> {
  const rows = await sql<{ worker: Address; deliverable: Hex }[]>`
    select worker, deliverable from submission where id = ${submissionId} and task_id = ${taskId}`
  return rows[0] ?? null
}

/**
 * Lists the transactions that settled an award for a deliverable. The list is empty if the deliverable was not
 * accepted.
 */
export async function listSettlements(
  sql: Queryable,
  taskId: Hex,
  { worker, deliverable }: { worker: Address; deliverable: Hex },
): Promise<Hex[]> {
  const rows = await sql<{ transactionHash: Hex }[]>`
    select transaction_hash from award
    where task_id = ${taskId} and worker = ${worker} and deliverable = ${deliverable}`
  return rows.map(({ transactionHash }) => transactionHash)
}
