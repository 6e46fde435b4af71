import type { Queryable } from '../../db/client.ts'
import type { PolicyBundle } from '../../domain/legal/policy-bundle.ts'

/** Keeps a text for ever, so that accepted policies stay readable. */
export async function keepDocument(sql: Queryable, contentHash: string, body: Buffer): Promise<void> {
  await sql`
    insert into service.legal_documents (content_hash, body) values (${contentHash}, ${body})
    on conflict (content_hash) do nothing`
}

/**
 * Keeps what a digest stands for, unless that is kept already or its version is another approved bundle's. Without a
 * named conflict: processes that start together with one bundle would else meet on the version instead of the digest.
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

/** A text that was ever published, byte by byte. */
export async function findDocument(sql: Queryable, contentHash: string): Promise<Buffer | null> {
  const [row] = await sql<{ body: Buffer }[]>`
    select body from service.legal_documents where content_hash = ${contentHash}`
  return row?.body ?? null
}
