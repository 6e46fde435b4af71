import type { Queryable } from '../../db/client.ts'

/** What the bytes of an upload are held against. */
export interface OpenUpload {
  /** Its URL has not expired. */
  isOpen: boolean
  /** A submission has used it up. */
  isSubmitted: boolean
  /** A request is receiving its bytes. */
  isReceiving: boolean
}

/** An upload that a worker asked for; null: there is none, or the sweep has taken it. */
export async function findUpload(sql: Queryable, id: string): Promise<OpenUpload | null> {
  const rows = await sql<OpenUpload[]>`
    select expires_at > now() as is_open, intent_id is not null as is_submitted,
      coalesce(receiving_until > now(), false) as is_receiving
    from service.uploads
    where id = ${id} and swept_at is null`
  return rows[0] ?? null
}

/**
 * Begins to receive an upload's bytes, for so long. Of requests that come at once, whatever their processes, one may.
 * @returns whether this one may
 */
export async function beginReceiving(sql: Queryable, id: string, seconds: number): Promise<boolean> {
  const { count } = await sql`
    update service.uploads set receiving_until = now() + make_interval(secs => ${seconds}::float8)
    where id = ${id} and swept_at is null and intent_id is null and expires_at > now()
      and (receiving_until is null or receiving_until <= now())`
  return count === 1
}

/** Goes on for so long from now; 0: has ended. */
export async function keepReceiving(sql: Queryable, id: string, seconds: number): Promise<void> {
  await sql`
    update service.uploads set receiving_until = now() + make_interval(secs => ${seconds}::float8) where id = ${id}`
}
