import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { policyFileOf, readBundle } from '../../../api/features/legal/read-bundle.ts'
import { aBundleFile, aPolicyDirectory, type PolicyDirectory } from '../../support/policies.ts'

let policies: PolicyDirectory
beforeEach(() => {
  policies = aPolicyDirectory()
})
afterEach(() => policies.remove())

describe('readBundle', () => {
  test('hashes each file by its exact bytes and lists the four in their order', async () => {
    const { bundle, texts } = await readBundle(policies.path)
    expect(bundle.documents.map(({ type }) => type)).toEqual([
      'terms_of_service',
      'privacy_policy',
      'risk_disclosure',
      'acceptable_use_policy',
    ])
    for (const { type, contentHash } of bundle.documents) {
      const bytes = readFileSync(join(policies.path, policyFileOf(type)))
      const digits = createHash('sha256').update(bytes).digest('hex')
      expect(contentHash).toBe(`sha256:${digits}`)
      expect(texts.get(digits)).toEqual(bytes)
    }
    expect(bundle).toMatchObject({ version: '1.0.0', status: 'approved', effectiveAt: '2025-01-01T00:00:00.000Z' })
  })

  test('the policies that come with the service are a draft, and each says that it is a template', async () => {
    const { bundle, texts } = await readBundle('policies')
    expect(bundle).toMatchObject({ status: 'draft', effectiveAt: null })
    for (const text of texts.values()) expect(text.toString()).toContain('This is a template')
    for (const { title, summary } of bundle.documents) expect(`${title} ${summary}`).toMatch(/template/)
  })

  test('one byte more in one file is another digest', async () => {
    const before = (await readBundle(policies.path)).bundle
    policies.write('risks.md', `${readFileSync(join(policies.path, 'risks.md'))} `)
    const after = (await readBundle(policies.path)).bundle
    expect(after.digest).not.toBe(before.digest)
    expect(after.documents.filter(({ contentHash }, at) => contentHash !== before.documents[at]?.contentHash)).toEqual([
      expect.objectContaining({ type: 'risk_disclosure' }),
    ])
  })

  const document = { version: '1', title: 'T', summary: 'S' }
  test.each<[string, string, unknown, RegExp]>([
    ['no JSON', 'bundle.json', '{"version": ', /bundle\.json: is no JSON/],
    ['no version', 'bundle.json', { ...aBundleFile(), version: undefined }, /bundle\.json: version: /],
    ['a version with a space', 'bundle.json', { ...aBundleFile(), version: '1 0' }, /version: must be 1 to 64 letters/],
    ['an unknown status', 'bundle.json', aBundleFile({ status: 'final' }), /status: .*"draft"\|"approved"/],
    [
      'an approved bundle without a time',
      'bundle.json',
      aBundleFile({ effectiveAt: null }),
      /effectiveAt: must be a time/,
    ],
    [
      'a day instead of a time',
      'bundle.json',
      aBundleFile({ publishedAt: '2025-01-01' }),
      /publishedAt: must be a time/,
    ],
    [
      'a statement of two lines',
      'bundle.json',
      aBundleFile({ acceptanceStatement: 'I\nagree' }),
      /acceptanceStatement: must be one line/,
    ],
    ['an unknown field', 'bundle.json', aBundleFile({ satus: 'draft' }), /"satus"/],
    [
      'a missing policy',
      'bundle.json',
      aBundleFile({ documents: { terms_of_service: document } }),
      /documents: privacy_policy: /,
    ],
    [
      'a title that forges a line',
      'bundle.json',
      aBundleFile({ documents: { ...aBundleFile().documents, privacy_policy: { ...document, title: 'P\n- Terms' } } }),
      /documents: privacy_policy: title: must be one line/,
    ],
    ['an empty file', 'terms.md', '  \n', /terms\.md: is empty/],
    ['a file in another encoding', 'terms.md', Uint8Array.of(0x66, 0xfc, 0x72), /terms\.md: is no UTF-8/],
    ['a huge file', 'terms.md', 'a'.repeat(1_000_001), /terms\.md: is larger than 1000000 bytes/],
  ])('refuses %s with words about it', async (_what, name, content, words) => {
    policies.write(name, content)
    await expect(readBundle(policies.path)).rejects.toThrow(words)
    await expect(readBundle(policies.path)).rejects.toThrow(policies.path)
  })

  test('names everything that is missing at once', async () => {
    policies.remove()
    await expect(readBundle(policies.path)).rejects.toThrow(
      /bundle\.json: is missing.*terms\.md: is missing.*privacy\.md.*risks\.md.*acceptable-use\.md/s,
    )
  })
})
