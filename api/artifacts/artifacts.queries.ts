import type { Address, Hex } from 'viem'
import type { ArtifactRole } from '../../protocol/documents/submission-manifest.ts'
import { keepingPlans, type Queryable } from '../db/client.ts'

/**
 * The row that is inserted for a file of a submission. Before the insertion, the file's bytes are stored under `id` in
 * the storage area `artifacts`.
 */
export interface ArtifactRow {
  id: string
  role: ArtifactRole
  fileName: string
  mimeType: string
  mediaKind: 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'archive' | 'unknown'
  sizeBytes: number
  /** The SHA-256 of the bytes as 64 lower-case hex digits. */
  sha256Hash: string
  keccak256Hash: Hex
  displayOrder: number
  textPreview: string | null
}

/**
 * The key of a deliverable. The key includes the worker, because two workers may submit deliverables with the same
 * hash.
 */
export interface DeliverableName {
  taskId: Hex
  worker: Address
  deliverable: Hex
}

/** The row of a file of a submission, as it is read from the database. */
export interface ArtifactRecord {
  id: string
  role: string
  fileName: string
  mimeType: string
  mediaKind: string
  sizeBytes: bigint
  sha256Hash: string
  keccak256Hash: Hex
  displayOrder: number
  /** The first characters of a text file, with its control characters; null for other files. */
  textPreview: string | null
}

/**
 * Returns the files of a deliverable in display order. The list is empty if the worker submitted by a direct call of
 * the contract.
 */
export type FilesOf = (deliverable: DeliverableName) => readonly ArtifactRecord[]

/** Loads the files of several deliverables in one statement. */
export async function findFiles(sql: Queryable, deliverables: readonly DeliverableName[]): Promise<FilesOf> {
  const groups = new Map<string, ArtifactRecord[]>()
  for (const { taskId, worker, deliverable, ...file } of await listFiles(sql, deliverables)) {
    const key = keyOf({ taskId, worker, deliverable })
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  return (deliverable) => groups.get(keyOf(deliverable)) ?? []
}

async function listFiles(
  sql: Queryable,
  deliverables: readonly DeliverableName[],
): Promise<(ArtifactRecord & DeliverableName)[]> {
  if (deliverables.length === 0) return []
  return await keepingPlans(sql)<(ArtifactRecord & DeliverableName)[]>`
    select f.task_id, f.worker, f.deliverable, f.id, f.role, f.file_name, f.mime_type, f.media_kind, f.size_bytes,
      f.sha256_hash, f.keccak256_hash, f.display_order, f.text_preview
    from unnest(
      ${deliverables.map(({ taskId }) => taskId)}::text[],
      ${deliverables.map(({ worker }) => worker)}::text[],
      ${deliverables.map(({ deliverable }) => deliverable)}::text[]
    ) as wanted (task_id, worker, deliverable)
    join service.artifacts f
      on f.task_id = wanted.task_id and f.worker = wanted.worker and f.deliverable = wanted.deliverable
    order by f.task_id, f.worker, f.deliverable, f.display_order`
}

function keyOf({ taskId, worker, deliverable }: DeliverableName): string {
  return `${taskId}:${worker}:${deliverable}`
}
