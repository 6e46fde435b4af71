import type { Queryable } from '../../db/client.ts'
import type { PolicyBundle } from '../../domain/legal/policy-bundle.ts'

/** Keeps a text for ever, so that what somebody once accepted stays readable. */
export async function keepDocument(sql: Queryable, contentHash: string, body: Buffer): Promise<void> {
  await sql`
    insert into service.legal_documents (content_hash, body) values (${contentHash}, ${body})
    on conflict (content_hash) do nothing`
}

/**
 * Keeps what a digest stands for.
 * @throws unique violation of `legal_bundles_approved_version` when the version is another approved bundle's
 */
export async function keepBundle(sql: Queryable, bundle: PolicyBundle): Promise<void> {
  await sql`
    insert into service.legal_bundles (digest, version, status, canonical_text)
    values (${bundle.digest}, ${bundle.version}, ${bundle.status}, ${bundle.canonicalText})
    on conflict (digest) do nothing`
}

/** A text that was ever published, byte by byte. */
export async function findDocument(sql: Queryable, contentHash: string): Promise<Buffer | null> {
  const [row] = await sql<{ body: Buffer }[]>`
    select body from service.legal_documents where content_hash = ${contentHash}`
  return row?.body ?? null
}
