import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toPolicyBundle } from '../../../../api/domain/legal/bundle-digest.ts'
import { type BundleFacts, policyTypes } from '../../../../api/domain/legal/policy-bundle.ts'

const facts: BundleFacts = {
  version: '1.0.0',
  status: 'approved',
  effectiveAt: '2030-01-01T00:00:00.000Z',
  publishedAt: '2029-12-01T00:00:00.000Z',
  acceptanceStatement: 'I agree.',
  documents: policyTypes.map((type) => ({
    type,
    version: '1.0.0',
    title: `The ${type}`,
    summary: 'All of it',
    contentHash: `sha256:${'ab'.repeat(32)}`,
  })),
}

/** The bundle with one of its documents changed. */
function withDocument(index: number, changes: object): BundleFacts {
  return {
    ...facts,
    documents: facts.documents.map((document, at) => (at === index ? { ...document, ...changes } : document)),
  }
}

describe('the digest of a bundle', () => {
  test('given a bundle, then it is sha-256 of the canonical text, which is JSON with sorted keys', () => {
    const { digest, canonicalText } = toPolicyBundle(facts)
    expect(digest).toBe(`sha256:${createHash('sha256').update(canonicalText).digest('hex')}`)
    const parsed = JSON.parse(canonicalText)
    expect(parsed).toEqual({ ...facts, schema: 'service-legal-bundle-v1' })
    expect(Object.keys(parsed)).toEqual(Object.keys(parsed).toSorted())
    expect(canonicalText).not.toMatch(/[\n\t]|": /)
  })

  test('given this bundle, then it is this digest: receipts depend on it', () => {
    expect(toPolicyBundle(facts).digest).toBe('sha256:1433f8a948e53162190c2b0c4fc35952370cc4585113cda9ef5d1d347086a3f6')
  })

  test('given another order of fields, or fields outside the agreement, then it is the same', () => {
    const reversed = Object.fromEntries(Object.entries(facts).reverse()) as unknown as BundleFacts
    expect(toPolicyBundle(reversed).digest).toBe(toPolicyBundle(facts).digest)
    expect(toPolicyBundle(withDocument(0, { url: 'https://example.com' })).digest).toBe(toPolicyBundle(facts).digest)
  })

  test.each<[string, BundleFacts]>([
    ['version', { ...facts, version: '1.0.1' }],
    ['status', { ...facts, status: 'draft' }],
    ['effective time', { ...facts, effectiveAt: '2030-01-01T00:00:00.001Z' }],
    ['effective time, to none', { ...facts, effectiveAt: null }],
    ['publication time', { ...facts, publishedAt: '2029-12-02T00:00:00.000Z' }],
    ['statement', { ...facts, acceptanceStatement: 'I agree!' }],
    ['order of documents', { ...facts, documents: facts.documents.toReversed() }],
    ...facts.documents.flatMap(({ type }, index): [string, BundleFacts][] => [
      [`text of ${type}`, withDocument(index, { contentHash: `sha256:${'ac'.repeat(32)}` })],
      [`version of ${type}`, withDocument(index, { version: '1.0.1' })],
      [`title of ${type}`, withDocument(index, { title: 'Another' })],
      [`summary of ${type}`, withDocument(index, { summary: 'Another' })],
    ]),
  ])('given another %s, then it changes', (_what, changed) => {
    expect(toPolicyBundle(changed).digest).not.toBe(toPolicyBundle(facts).digest)
  })
})
