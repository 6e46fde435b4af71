import type { Queryable } from '../../db/client.ts'

/** What the bytes of an upload are held against. */
export interface OpenUpload {
  /** Its URL has not expired. */
  isOpen: boolean
  /** A submission has used it up. */
  isSubmitted: boolean
}

/** An upload that a worker asked for; null: there is none, or the sweep has taken it. */
export async function findUpload(sql: Queryable, id: string): Promise<OpenUpload | null> {
  const rows = await sql<OpenUpload[]>`
    select expires_at > now() as is_open, intent_id is not null as is_submitted
    from service.uploads
    where id = ${id} and swept_at is null`
  return rows[0] ?? null
}
