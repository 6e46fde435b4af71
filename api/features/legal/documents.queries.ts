import type { Queryable } from '../../db/client.ts'
import type { PolicyBundle } from '../../domain/legal/policy-bundle.ts'

/** Stores the text of a policy permanently. Accepted policies can then always be read. */
export async function keepDocument(sql: Queryable, contentHash: string, body: Buffer): Promise<void> {
  await sql`
    insert into service.legal_documents (content_hash, body) values (${contentHash}, ${body})
    on conflict (content_hash) do nothing`
}

/**
 * Stores a bundle under its digest. Does nothing if the bundle is stored already, or if another approved bundle has the
 * same version.
 */
export async function keepBundle(sql: Queryable, bundle: PolicyBundle): Promise<void> {
  // The statement names no conflict target. Two processes that start at the same time may conflict on the digest or on
  // the version.
  await sql`
    insert into service.legal_bundles (digest, version, status, canonical_text)
    values (${bundle.digest}, ${bundle.version}, ${bundle.status}, ${bundle.canonicalText})
    on conflict do nothing`
}

export async function isBundleKept(sql: Queryable, digest: string): Promise<boolean> {
  const rows = await sql`select 1 from service.legal_bundles where digest = ${digest}`
  return rows.length === 1
}

/** Returns the exact bytes of the published policy with a content hash, or null if there is none. */
export async function findDocument(sql: Queryable, contentHash: string): Promise<Buffer | null> {
  const [row] = await sql<{ body: Buffer }[]>`
    select body from service.legal_documents where content_hash = ${contentHash}`
  return row?.body ?? null
}
