import type { Queryable } from '../../db/client.ts'
import type { PolicyBundle } from '../../domain/legal/policy-bundle.ts'

/** Stores a text for ever, so that accepted policies stay readable. */
export async function keepDocument(sql: Queryable, contentHash: string, body: Buffer): Promise<void> {
  await sql`
    insert into service.legal_documents (content_hash, body) values (${contentHash}, ${body})
    on conflict (content_hash) do nothing`
}

/**
 * Stores a bundle by its digest, unless it is stored already or another approved bundle has its version. The conflict
 * target is unnamed, because processes that start together with one bundle may conflict on the version instead of the
 * digest.
 */
export async function keepBundle(sql: Queryable, bundle: PolicyBundle): Promise<void> {
  await sql`
    insert into service.legal_bundles (digest, version, status, canonical_text)
    values (${bundle.digest}, ${bundle.version}, ${bundle.status}, ${bundle.canonicalText})
    on conflict do nothing`
}

export async function isBundleKept(sql: Queryable, digest: string): Promise<boolean> {
  const rows = await sql`select 1 from service.legal_bundles where digest = ${digest}`
  return rows.length === 1
}

/** Returns a published text, byte by byte, or null. */
export async function findDocument(sql: Queryable, contentHash: string): Promise<Buffer | null> {
  const [row] = await sql<{ body: Buffer }[]>`
    select body from service.legal_documents where content_hash = ${contentHash}`
  return row?.body ?? null
}
