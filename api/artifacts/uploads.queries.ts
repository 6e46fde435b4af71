import type { Address, Hex } from 'viem'
import type { ArtifactRole } from '../../protocol/documents/submission-manifest.ts'
import type { Queryable, Transaction } from '../db/client.ts'
import type { FileHashes } from './hashing/file-hashes.ts'

/**
 * The scope in which open uploads are counted: all uploads of a client, or the client's uploads for one worker. An
 * upload is open until its URL expires or a write has used it.
 */
export interface UploadScope {
  /** The client's pseudonym in tables (see `uploaderInTables`). */
  client: string
  worker?: Address
}

/**
 * Returns null if fewer than `most` uploads of the scope are open. Otherwise returns the seconds until the first open
 * upload expires.
 */
export async function findOpenShortage(
  tx: Transaction,
  { client, worker }: UploadScope,
  most: number,
): Promise<number | null> {
  const [row] = await tx<{ isFull: boolean; seconds: number }[]>`
    select count(*) >= ${most} as is_full,
      ceil(extract(epoch from coalesce(min(expires_at), now()) - now()))::int as seconds
    from service.uploads
    where client = ${client} and created_at > now() - interval '1 day' and intent_id is null and expires_at > now()
      ${worker === undefined ? tx`` : tx`and worker = ${worker}`}`
  return row?.isFull === true ? Math.max(1, row.seconds) : null
}

/** An upload that a client requests. */
export interface NewUpload {
  id: string
  taskId: Hex
  worker: Address
  client: string
  fileName: string
  mimeType: string
  role: ArtifactRole
  sizeBytes: number
}

/**
 * Inserts an upload.
 * @returns the time at which the upload's URL expires, in Unix seconds of the database's clock
 */
export async function insertUpload(tx: Transaction, upload: NewUpload, lifetimeSeconds: number): Promise<number> {
  const { id, taskId, worker, client, fileName, mimeType, role, sizeBytes } = upload
  const [row] = await tx<{ expiresAt: number }[]>`
    insert into service.uploads (id, task_id, worker, client, file_name, mime_type, role, size_bytes, expires_at)
    values (${id}, ${taskId}, ${worker}, ${client}, ${fileName}, ${mimeType}, ${role}, ${sizeBytes},
      date_trunc('second', now()) + make_interval(secs => ${lifetimeSeconds}))
    returning extract(epoch from expires_at)::float8 as expires_at`
  if (row === undefined) throw new Error('an upload was not stored')
  return row.expiresAt
}

/** Deletes an upload and its charge. Used if the upload's URL was never sent. */
export async function deleteUpload(sql: Queryable, id: string): Promise<void> {
  await sql`
    with refunded as (delete from service.byte_charges where id = ${id})
    delete from service.uploads where id = ${id}`
}

/** The facts that decide whether an upload accepts bytes. */
export interface OpenUpload {
  /** True until the upload's URL expires. */
  isOpen: boolean
  /** True if a submission has used the upload. */
  isSubmitted: boolean
  /** True while a request is sending the upload's bytes. */
  isReceiving: boolean
}

/** Returns a requested upload. Returns null if it does not exist or the retention pass has claimed it. */
export async function findUpload(sql: Queryable, id: string): Promise<OpenUpload | null> {
  const rows = await sql<OpenUpload[]>`
    select expires_at > now() as is_open, intent_id is not null as is_submitted,
      coalesce(receiving_until > now(), false) as is_receiving
    from service.uploads
    where id = ${id} and swept_at is null`
  return rows[0] ?? null
}

/**
 * Marks an upload as being received for the next `seconds` seconds. While the mark is valid, no second request may send
 * the upload's bytes. If several requests for the upload arrive at the same time, only one of the requests sets the
 * mark.
 * @returns true if this request may send the bytes
 */
export async function beginReceiving(sql: Queryable, id: string, seconds: number): Promise<boolean> {
  const { count } = await sql`
    update service.uploads set receiving_until = now() + make_interval(secs => ${seconds}::float8)
    where id = ${id} and swept_at is null and intent_id is null and expires_at > now()
      and (receiving_until is null or receiving_until <= now())`
  return count === 1
}

/** Marks an upload as being received for the next `seconds` seconds. If `seconds` is 0, the reception ends. */
export async function keepReceiving(sql: Queryable, id: string, seconds: number): Promise<void> {
  await sql`
    update service.uploads set receiving_until = now() + make_interval(secs => ${seconds}::float8) where id = ${id}`
}

/** A worker's upload with its declared type and size. */
export interface Upload {
  id: string
  mimeType: string
  sizeBytes: bigint
  /** True if the upload's URL has expired and accepts no bytes. */
  isExpired: boolean
  /** True if a write has used the upload. */
  isSubmitted: boolean
}

/** The ids of uploads with their worker and task. */
export interface Uploads {
  ids: readonly string[]
  taskId: Hex
  worker: Address
}

/**
 * Returns the uploads with these ids that belong to the worker and task. Leaves out each upload that no write has used
 * and that the retention pass has already claimed for deletion.
 */
export async function listUploads(sql: Queryable, { ids, taskId, worker }: Uploads): Promise<Upload[]> {
  return await sql<Upload[]>`
    select id, mime_type, size_bytes, expires_at <= now() as is_expired, intent_id is not null as is_submitted
    from service.uploads
    where id = any(${[...ids]}::uuid[]) and task_id = ${taskId} and worker = ${worker}
      and (swept_at is null or intent_id is not null)`
}

/**
 * Locks the given uploads until the transaction ends, except uploads that a write has used. A fixed order of the locks
 * prevents deadlocks.
 * @returns the number of locked uploads
 */
export async function lockUnsubmitted(tx: Transaction, { ids, taskId, worker }: Uploads): Promise<number> {
  const rows = await tx`
    select id from service.uploads
    where id = any(${[...ids]}::uuid[]) and task_id = ${taskId} and worker = ${worker}
      and intent_id is null and swept_at is null
    order by id for update`
  return rows.length
}

/**
 * Binds uploads to the intent of a write, in the transaction that records the write. Each upload is bound at most once.
 */
export async function bindUploads(tx: Transaction, ids: readonly string[], intentId: string): Promise<void> {
  if (ids.length === 0) return
  const { count } = await tx`
    update service.uploads set intent_id = ${intentId}
    where id = any(${[...ids]}::uuid[]) and intent_id is null and swept_at is null`
  if (count !== ids.length) throw new Error('an upload of this write is gone, or is another write’s')
}

/** Returns the hashes of a version of an upload, or null if this version has not been hashed. */
export async function findUploadHashes(
  sql: Queryable,
  id: string,
  version: string,
): Promise<Pick<FileHashes, 'sha256Hash' | 'keccak256Hash'> | null> {
  const [row] = await sql<{ sha256Hash: string; keccak256Hash: Hex }[]>`
    select sha256_hash, keccak256_hash from service.uploads where id = ${id} and version = ${version}`
  return row ?? null
}

/** Stores the hashes of a version of an upload. This version is then not read again. */
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
