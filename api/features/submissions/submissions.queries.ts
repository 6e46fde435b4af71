import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

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
  /** Null when the deliverable was committed by a direct chain call. */
  signature: string | null
  /** ERC-8004 id; null: a human. */
  agentId: bigint | null
  completedTasks: number | null
  ratedTasks: number | null
  totalStars: number | null
}

/** What a list of submissions shows of them: whose, and where it starts and ends. */
export interface SubmissionPage {
  /** Only these workers' submissions; absent: everybody's. */
  workers?: Address[]
  /** After this one, in the task's order. */
  after?: Hex
  limit: number
}

/** A task's submissions in the order they were committed, with their workers' records. */
export async function listSubmissions(
  sql: Queryable,
  taskId: Hex,
  { workers, after, limit }: SubmissionPage,
): Promise<SubmissionRow[]> {
  return await sql<SubmissionRow[]>`
    select s.id, s.reference_code, s.task_id, s.worker, s.deliverable, s.submission_index, s.submitted_at,
      s.rejected_at, s.transaction_hash, content.signature,
      a.agent_id, a.completed_tasks, a.rated_tasks, a.total_stars
    from submission s
    left join service.submission_content content
      on content.task_id = s.task_id and content.worker = s.worker and content.deliverable = s.deliverable
    left join agent a on a.address = s.worker
    where s.task_id = ${taskId}
      ${workers === undefined ? sql`` : sql`and s.worker = any(${workers}::text[])`}
      ${
        after === undefined
          ? sql``
          : sql`and s.submission_index > (
              select submission_index from submission where id = ${after} and task_id = ${taskId})`
      }
    order by s.submission_index
    limit ${limit}`
}

export interface ArtifactRecord {
  id: string
  worker: Address
  deliverable: Hex
  role: string
  fileName: string
  mimeType: string
  mediaKind: string
  sizeBytes: bigint
  sha256Hash: string
  keccak256Hash: Hex
  displayOrder: number
  textPreview: string | null
}

/** The files of these deliverables of a task, in display order. A deliverable is joined by its worker and hash. */
export async function listArtifacts(
  sql: Queryable,
  taskId: Hex,
  submissions: readonly Pick<SubmissionRow, 'worker' | 'deliverable'>[],
): Promise<ArtifactRecord[]> {
  if (submissions.length === 0) return []
  return await sql<ArtifactRecord[]>`
    select f.id, f.worker, f.deliverable, f.role, f.file_name, f.mime_type, f.media_kind, f.size_bytes,
      f.sha256_hash, f.keccak256_hash, f.display_order, f.text_preview
    from unnest(
      ${submissions.map(({ worker }) => worker)}::text[],
      ${submissions.map(({ deliverable }) => deliverable)}::text[]
    ) as wanted (worker, deliverable)
    join service.artifacts f
      on f.task_id = ${taskId} and f.worker = wanted.worker and f.deliverable = wanted.deliverable
    order by f.worker, f.deliverable, f.display_order`
}

export interface ManifestRow {
  worker: Address
  deliverable: Hex
  transactionHash: Hex
  /** The exact hashed bytes; null when the deliverable was committed by a direct chain call. */
  manifest: string | null
}

/** What stands behind one submission of a task; null when the task has no such submission. */
export async function findManifest(sql: Queryable, taskId: Hex, submissionId: Hex): Promise<ManifestRow | null> {
  const rows = await sql<ManifestRow[]>`
    select s.worker, s.deliverable, s.transaction_hash, content.manifest
    from submission s
    left join service.submission_content content
      on content.task_id = s.task_id and content.worker = s.worker and content.deliverable = s.deliverable
    where s.id = ${submissionId} and s.task_id = ${taskId}`
  return rows[0] ?? null
}
