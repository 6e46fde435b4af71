import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

/** The columns that are needed to serve the bytes of an artifact. */
export interface ArtifactFile {
  id: string
  fileName: string
  mimeType: string
  mediaKind: string
  sizeBytes: bigint
  /** The sha-256 of the bytes, as 64 lower-case hex digits. */
  sha256Hash: string
}

/** Returns the stored file with an id, or null if there is none. */
export async function findArtifactFile(sql: Queryable, id: string): Promise<ArtifactFile | null> {
  const rows = await sql<ArtifactFile[]>`
    select id, file_name, mime_type, media_kind, size_bytes, sha256_hash from service.artifacts where id = ${id}`
  return rows[0] ?? null
}

/**
 * Returns the worker who delivered an artifact of a task. Returns null if no submission on chain commits to the
 * artifact. No caller may see an artifact without a submission on chain.
 */
export async function findArtifactWorker(sql: Queryable, taskId: Hex, id: string): Promise<Address | null> {
  const rows = await sql<{ worker: Address }[]>`
    select f.worker
    from service.artifacts f
    where f.id = ${id} and f.task_id = ${taskId}
      and exists (
        select from submission s
        where s.task_id = f.task_id and s.worker = f.worker and s.deliverable = f.deliverable)`
  return rows[0]?.worker ?? null
}
