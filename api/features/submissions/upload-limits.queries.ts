import type { Address, Hex } from 'viem'
import type { Queryable, Transaction } from '../../db/client.ts'
import type { ArtifactRole } from '../../domain/artifacts/media-kind.ts'

/** What somebody may have of uploads: not submitted with a URL that is valid, and bytes asked for within a day. */
export interface UploadQuota {
  open: number
  bytesPerDay: number
}

/** Whose uploads are counted: all of a client, or those for one worker. */
export interface UploadScope {
  /** By its name in tables. */
  client: string
  worker?: Address
}

/** What does not fit into a scope, and how long that stays so, seconds. */
export interface LackOfRoom {
  of: 'open' | 'bytes'
  seconds: number
}

/** Lets one transaction at a time count and add uploads of a client; held until it ends. */
export async function lockUploadsOf(tx: Transaction, client: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`uploads:${client}`}, 0))`
}

/**
 * Why the scope has no room for one more upload of this size; null: it has. One statement over the day's uploads, of
 * which the open ones are a part: no URL is valid for a day.
 */
export async function findLackOfRoom(
  tx: Transaction,
  { client, worker }: UploadScope,
  { open, bytesPerDay, sizeBytes }: UploadQuota & { sizeBytes: number },
): Promise<LackOfRoom | null> {
  const newest = bytesPerDay - sizeBytes
  const [row] = await tx<{ isOpenFull: boolean; areBytesFull: boolean; openSeconds: number; byteSeconds: number }[]>`
    with day as (
      select created_at, size_bytes, expires_at, intent_id is null and expires_at > now() as is_open,
        sum(size_bytes) over (order by created_at desc, id) - size_bytes as newer_bytes
      from service.uploads
      where client = ${client} and created_at > now() - interval '1 day'
        ${worker === undefined ? tx`` : tx`and worker = ${worker}`}
    )
    select count(*) filter (where is_open) >= ${open} as is_open_full,
      coalesce(sum(size_bytes), 0) > ${newest}::bigint as are_bytes_full,
      ceil(extract(epoch from coalesce(min(expires_at) filter (where is_open), now()) - now()))::int as open_seconds,
      -- From when on only those count that leave room enough; a file beyond a whole day's bytes never fits.
      ceil(extract(epoch from
        coalesce(min(created_at) filter (where newer_bytes <= ${newest}::bigint), now()) + interval '1 day' - now()
      ))::int as byte_seconds
    from day`
  if (row?.areBytesFull === true) return { of: 'bytes', seconds: Math.max(1, row.byteSeconds) }
  return row?.isOpenFull === true ? { of: 'open', seconds: Math.max(1, row.openSeconds) } : null
}

/** An upload as it is asked for. */
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

/** @returns until when its URL takes the bytes: Unix seconds, by the database's clock */
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

/** Forgets an upload whose URL nobody was given. */
export async function deleteUpload(sql: Queryable, id: string): Promise<void> {
  await sql`delete from service.uploads where id = ${id}`
}
