import { createHash } from 'node:crypto'
import { toCanonicalJson } from '../../../protocol/documents/canonical-json.ts'
import type { BundleFacts, PolicyBundle } from './policy-bundle.ts'

/**
 * Puts a bundle under its digest: sha-256 of its canonical JSON (RFC 8785), schema `service-legal-bundle-v1`, as
 * docs/legal.md describes it. Every fact is in it: whatever changes, receipts of the bundle before are stale.
 */
export function toPolicyBundle(facts: BundleFacts): PolicyBundle {
  const { version, status, effectiveAt, publishedAt, acceptanceStatement, documents } = facts
  const canonicalText = toCanonicalJson({
    acceptanceStatement,
    // Field by field: what else a caller's objects carry is no part of what is agreed to.
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
