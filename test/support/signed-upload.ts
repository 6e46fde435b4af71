import { randomUUID } from 'node:crypto'
import type { UploadPromise } from '../../api/artifacts/storage/object-store.ts'
import type { Deps } from '../../api/deps.ts'

/** An upload that a worker has requested. */
export interface SignedUpload extends UploadPromise {
  id: string
  /** Path and query of its URL. */
  target: string
}

/** Differences from an ordinary upload of ten bytes. */
export interface UploadOptions {
  sizeBytes?: number
  mimeType?: string
  /** Remaining validity of its URL; negative after its end. */
  lifetimeSeconds?: number
}

/** The result of a request for an upload URL: its row, and the URL. */
export async function aSignedUpload(
  { sql, links }: Pick<Deps, 'sql' | 'links'>,
  { sizeBytes = 10, mimeType = 'text/plain', lifetimeSeconds = 900 }: UploadOptions = {},
): Promise<SignedUpload> {
  const id = randomUUID()
  const [row] = await sql<{ expiresAt: number }[]>`
    insert into service.uploads (id, task_id, worker, client, file_name, mime_type, role, size_bytes, expires_at)
    values (
      ${id}, ${`0x${'ab'.repeat(32)}`}, ${`0x${'cd'.repeat(20)}`}, 'a client', 'work.txt', ${mimeType}, 'final',
      ${sizeBytes}, date_trunc('second', now()) + make_interval(secs => ${lifetimeSeconds}))
    returning extract(epoch from expires_at)::float8 as expires_at`
  const promised = { sizeBytes, mimeType, expiresAt: row?.expiresAt ?? 0 }
  const { pathname, search } = new URL(links.toUpload(id, promised))
  return { id, ...promised, target: pathname + search }
}
