import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLegal } from '../../../api/features/legal/open-legal.ts'
import { createApp } from '../../../api/server/app.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aPolicyDirectory, type PolicyDirectory } from '../../support/policies.ts'

let policies: PolicyDirectory
let api: TestApi
beforeAll(async () => {
  policies = aPolicyDirectory({ version: 'first' })
  api = await startTestApi({ LEGAL_DIRECTORY: policies.path })
})
afterAll(async () => {
  await api.stop()
  policies.remove()
})

describe('GET /legal/current', () => {
  test('has every field of the interface', async () => {
    const { status, body } = await api.get('/api/legal/current')
    expect(status).toBe(200)
    expect(body).toEqual({
      version: 'first',
      status: 'approved',
      acceptanceAvailable: true,
      enforcementEnabled: false,
      effectiveAt: '2025-01-01T00:00:00.000Z',
      publishedAt: '2024-12-01T00:00:00.000Z',
      acceptanceStatement: 'I have read the documents and accept them.',
      bundleDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      documents: [
        ['terms_of_service', 'terms'],
        ['privacy_policy', 'privacy'],
        ['risk_disclosure', 'risks'],
        ['acceptable_use_policy', 'acceptable-use'],
      ].map(([type, slug]) => ({
        type,
        slug,
        version: 'first',
        title: `The ${type}`,
        summary: `About ${type}`,
        contentHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/api\/legal\/documents\/[0-9a-f]{64}$/),
      })),
    })
  })
})

describe('GET /legal/documents/{contentHash}', () => {
  test('serves the exact bytes of each policy, to be kept for ever', async () => {
    for (const { slug, url, contentHash } of (await api.get('/api/legal/current')).body.documents) {
      const response = await api.app.request(new URL(url).pathname)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(bytes).toEqual(readFileSync(join(policies.path, `${slug}.md`)))
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(contentHash)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/markdown; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  test('serves the policies of past bundles too', async () => {
    const past = (await api.get('/api/legal/current')).body.documents
    const next = aPolicyDirectory({ version: 'second' })
    try {
      const config = { ...api.deps.config, LEGAL_DIRECTORY: next.path }
      const app = createApp({ ...api.deps, legal: await openLegal({ ...api.deps, config }) })
      const current = await (await app.request('/api/legal/current')).json()
      expect(current).toMatchObject({ version: 'second' })
      for (const [at, { contentHash }] of past.entries()) {
        expect(current).not.toHaveProperty(['documents', at, 'contentHash'], contentHash)
        const digits = contentHash.slice('sha256:'.length)
        for (const name of [contentHash, digits, digits.toUpperCase()]) {
          const response = await app.request(`/api/legal/documents/${name}`)
          expect(response.status).toBe(200)
          const body = await response.text()
          expect(createHash('sha256').update(body).digest('hex')).toBe(digits)
        }
      }
    } finally {
      next.remove()
    }
  })

  test('a hash of nothing published is 404, and what is no hash 400', async () => {
    expect(await api.get(`/api/legal/documents/${'0'.repeat(64)}`)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('/api/legal/current'), service: { reason: 'unclassified' } },
    })
    for (const hash of ['abc', `0x${'0'.repeat(64)}`, '..%2fbundle.json']) {
      expect((await api.get(`/api/legal/documents/${hash}`)).status).toBe(400)
    }
  })
})
