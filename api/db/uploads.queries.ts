import type { Address, Hex } from 'viem'
import type { FileHashes } from '../files/file-hashes.ts'
import type { Queryable, Transaction } from './client.ts'

/** A worker's upload, and what was found in it. */
export interface Upload {
  id: string
  mimeType: string
  sizeBytes: bigint
  /** The URL takes nothing any more. */
  isExpired: boolean
  /** A write has used it up. */
  isSubmitted: boolean
}

/** Whose uploads for what. */
export interface Uploads {
  ids: readonly string[]
  taskId: Hex
  worker: Address
}

/** Those of the ids that are uploads of this worker for this task, and were not swept before anybody submitted them. */
export async function listUploads(sql: Queryable, { ids, taskId, worker }: Uploads): Promise<Upload[]> {
  return await sql<Upload[]>`
    select id, mime_type, size_bytes, expires_at <= now() as is_expired, intent_id is not null as is_submitted
    from service.uploads
    where id = any(${[...ids]}::uuid[]) and task_id = ${taskId} and worker = ${worker}
      and (swept_at is null or intent_id is not null)`
}

/**
 * Locks those of the uploads that can still be submitted until the transaction ends, in an order of their own: requests
 * that want some of the same wait for each other.
 * @returns how many there are
 */
export async function lockUnsubmitted(tx: Transaction, { ids, taskId, worker }: Uploads): Promise<number> {
  const rows = await tx`
    select id from service.uploads
    where id = any(${[...ids]}::uuid[]) and task_id = ${taskId} and worker = ${worker}
      and intent_id is null and swept_at is null
    order by id for update`
  return rows.length
}

/** They are this write's now, in the transaction that binds it: an upload is submitted once. */
export async function bindUploads(tx: Transaction, ids: readonly string[], intentId: string): Promise<void> {
  if (ids.length === 0) return
  const { count } = await tx`
    update service.uploads set intent_id = ${intentId}
    where id = any(${[...ids]}::uuid[]) and intent_id is null and swept_at is null`
  if (count !== ids.length) throw new Error('an upload of this write is gone, or is another write’s')
}

/** What was found in this version of an upload's object; null: nobody has read it. */
export async function findUploadHashes(
  sql: Queryable,
  id: string,
  version: string,
): Promise<Pick<FileHashes, 'sha256Hash' | 'keccak256Hash'> | null> {
  const [row] = await sql<{ sha256Hash: string; keccak256Hash: Hex }[]>`
    select sha256_hash, keccak256_hash from service.uploads where id = ${id} and version = ${version}`
  return row ?? null
}

/** Whatever is said of the upload later, it need not be read again to know. */
export async function keepUploadHashes(
  sql: Queryable,
  id: string,
  { version, sha256Hash, keccak256Hash }: Omit<FileHashes, 'sizeBytes'> & { version: string },
): Promise<void> {
  await sql`
    update service.uploads
    set version = ${version}, sha256_hash = ${sha256Hash}, keccak256_hash = ${keccak256Hash}
    where id = ${id}`
}
