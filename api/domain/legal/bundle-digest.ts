import { createHash } from 'node:crypto'
import { toCanonicalJson } from '../../../protocol/documents/canonical-json.ts'
import type { BundleFacts, PolicyBundle } from './policy-bundle.ts'

/**
 * Returns a policy bundle with its digest: the SHA-256 of the bundle's canonical JSON (RFC 8785). The schema is
 * `service-legal-bundle-v1` (docs/build/legal.md). Any change of the bundle changes the digest and invalidates earlier
 * receipts.
 */
export function toPolicyBundle(facts: BundleFacts): PolicyBundle {
  const { version, status, effectiveAt, publishedAt, acceptanceStatement, documents } = facts
  const canonicalText = toCanonicalJson({
    acceptanceStatement,
    // Fields are copied by name, so other fields of the caller's objects stay out of the digest.
    documents: documents.map(({ type, version, title, summary, contentHash }) => ({
      type,
      version,
      title,
      summary,
      contentHash,
    })),
    effectiveAt,
    publishedAt,
    schema: 'service-legal-bundle-v1',
    status,
    version,
  })
  return { ...facts, canonicalText, digest: `sha256:${createHash('sha256').update(canonicalText).digest('hex')}` }
}
