import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { deleteOldChallenges } from '../../../api/features/legal/challenges.queries.ts'
import { openLegal } from '../../../api/features/legal/open-legal.ts'
import { createApp } from '../../../api/server/app.ts'
import { createLegalCheck } from '../../../api/writes/legal-acceptance.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { acceptPolicies, anAcceptance, challengeFor, type Post, receiptHeader } from '../../support/legal-client.ts'
import { aPolicyDirectory, type PolicyDirectory } from '../../support/policies.ts'

let policies: PolicyDirectory
let api: TestApi
let post: Post
beforeAll(async () => {
  policies = aPolicyDirectory({ version: 'accepted' })
  api = await startTestApi({ LEGAL_DIRECTORY: policies.path })
  post = (path, body) => api.post(`/api${path}`, body)
})
afterAll(async () => {
  await api.stop()
  policies.remove()
})

const accept = (body: object) => post('/legal/accept/wallet', body)
const statusOf = (receipt: string) => api.get('/api/legal/status', receiptHeader(receipt))

/** The service with other policies on the same database. */
async function withOtherPolicies<Result>(
  changes: Record<string, unknown>,
  work: (app: TestApi['app']) => Promise<Result>,
  environment = 'local',
): Promise<Result> {
  const other = aPolicyDirectory(changes)
  try {
    const config = { ...api.deps.config, LEGAL_DIRECTORY: other.path, ENVIRONMENT: environment }
    const legal = await openLegal({ ...api.deps, config })
    const writes = { ...api.deps.writes, legal: createLegalCheck(legal, config) }
    return await work(createApp({ ...api.deps, config, legal, writes }))
  } finally {
    other.remove()
  }
}

describe('GET /legal/current', () => {
  test('has every field of the interface', async () => {
    const { status, body } = await api.get('/api/legal/current')
    expect(status).toBe(200)
    expect(body).toEqual({
      version: 'accepted',
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
        version: 'accepted',
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
    await withOtherPolicies({ version: 'second' }, async (app) => {
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
    })
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

describe('POST /legal/challenge', () => {
  test('gives a message for this wallet and bundle, good for ten minutes', async () => {
    const wallet = anActor()
    const { status, body, headers } = await api.post('/api/legal/challenge', { walletAddress: wallet.address })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    const current = (await api.get('/api/legal/current')).body
    expect(body).toEqual({
      bundle: current,
      message: expect.any(String),
      nonce: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      issuedAt: expect.any(String),
      expiresAt: expect.any(String),
      walletAddress: getAddress(wallet.address),
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.issuedAt)).toBe(600_000)
    for (const line of [
      `Wallet: ${getAddress(wallet.address)}`,
      'Bundle: accepted',
      `Issued at: ${body.issuedAt}`,
      `Expires at: ${body.expiresAt}`,
      `Nonce: ${body.nonce}`,
    ]) {
      expect(body.message).toContain(`\n${line}\n`)
    }
  })

  test('old ones are removed a day after their end, those of today stay', async () => {
    const wallet = anActor()
    const [old, young] = [await challengeFor(post, wallet), await challengeFor(post, wallet)]
    await api.sql`
      update legal_challenges set expires_at = now() - interval '24 hours 1 second' where nonce = ${old.nonce}`
    await api.sql`
      update legal_challenges set expires_at = now() - interval '23 hours' where nonce = ${young.nonce}`
    await deleteOldChallenges(api.sql, 10)
    const left = await api.sql<{ nonce: string }[]>`
      select nonce from legal_challenges where nonce in (${old.nonce}, ${young.nonce})`
    expect(left.map(({ nonce }) => nonce)).toEqual([young.nonce])
  })
})

describe('POST /legal/accept/wallet', () => {
  test('gives a receipt, and keeps the evidence and of the receipt only a hash', async () => {
    const wallet = anActor()
    const challenge = await challengeFor(post, wallet)
    const acceptance = await anAcceptance(challenge, wallet)
    const { status, body, headers } = await api.post('/api/legal/accept/wallet', acceptance)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      acceptedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      bundleDigest: challenge.bundle.bundleDigest,
      bundleVersion: 'accepted',
      receipt: expect.stringMatching(/^legal_\S{43}$/),
    })
    const rows = await api.sql`select * from legal_acceptances where wallet = ${wallet.address}`
    expect(rows).toMatchObject([
      { message: challenge.message, signature: acceptance.signature, nonce: challenge.nonce },
    ])
    expect(JSON.stringify(rows)).not.toContain(body.receipt)
  })

  test('takes any case of addresses, digests and nonces', async () => {
    const wallet = anActor()
    const challenge = await challengeFor(post, wallet)
    const acceptance = await anAcceptance(challenge, wallet)
    const { status } = await accept({
      ...acceptance,
      walletAddress: wallet.address,
      nonce: acceptance.nonce.toUpperCase(),
      bundleDigest: acceptance.bundleDigest.toUpperCase(),
    })
    expect(status).toBe(200)
  })

  test.each(['agreedToTerms', 'agreedToAcceptableUse', 'acknowledgedRisk', 'receivedPrivacyNotice'])(
    'needs a literal true in %s',
    async (field) => {
      const wallet = anActor()
      const acceptance = await anAcceptance(await challengeFor(post, wallet), wallet)
      for (const value of [false, 'true', 1, null, undefined]) {
        expect(await accept({ ...acceptance, [field]: value })).toMatchObject({
          status: 400,
          body: { error: expect.stringMatching(new RegExp(`^${field}: must be true, to accept the`)) },
        })
      }
      expect((await accept(acceptance)).status).toBe(200)
    },
  )

  test('a challenge is used once, and of sixteen at the same time one request uses it', async () => {
    const wallet = anActor()
    const acceptance = await anAcceptance(await challengeFor(post, wallet), wallet)
    const answers = await Promise.all(Array.from({ length: 16 }, () => accept(acceptance)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(15).fill(409)])
    expect(await accept(acceptance)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('been used') },
    })
    const rows = await api.sql`select 1 from legal_acceptances where wallet = ${wallet.address}`
    expect(rows).toHaveLength(1)
  })

  test('a challenge ends ten minutes after its issue, by the clock of the database', async () => {
    const wallet = anActor()
    const challenge = await challengeFor(post, wallet)
    const acceptance = await anAcceptance(challenge, wallet)
    // The last moment of it and the first after it: time of the row moves, the clock is Postgres' own.
    await api.sql`update legal_challenges set expires_at = now() where nonce = ${challenge.nonce}`
    expect(await accept(acceptance)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', error: expect.stringMatching(/expired.*\/api\/legal\/challenge/) },
    })
    await api.sql`update legal_challenges set expires_at = now() + interval '1 minute' where nonce = ${challenge.nonce}`
    expect((await accept(acceptance)).status).toBe(200)
  })

  test('a challenge of another wallet, or of none, is unknown', async () => {
    const [alice, bob] = [anActor(), anActor()]
    const ofAlice = await challengeFor(post, alice)
    const acceptance = await anAcceptance(ofAlice, bob)
    for (const body of [
      { ...acceptance, walletAddress: bob.address },
      { ...acceptance, walletAddress: alice.address, nonce: crypto.randomUUID() },
    ]) {
      expect(await accept(body)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
  })

  test('the signature must be the wallet’s, over exactly the message; a wrong one costs nothing', async () => {
    const [alice, bob] = [anActor(), anActor()]
    const challenge = await challengeFor(post, alice)
    const acceptance = await anAcceptance(challenge, alice)
    const ofBob = await anAcceptance(challenge, bob)
    const altered = await anAcceptance({ ...challenge, message: `${challenge.message}\n` }, alice)
    for (const signature of [ofBob.signature, altered.signature, '0x', `0x${'ab'.repeat(65)}`]) {
      expect(await accept({ ...acceptance, signature })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', service: { reason: 'unclassified' }, error: expect.stringContaining('exactly') },
      })
    }
    expect((await accept(acceptance)).status).toBe(200)
  })

  test('a chain that cannot be asked about a contract wallet is 503, and the challenge stays', async () => {
    const wallet = anActor()
    const acceptance = await anAcceptance(await challengeFor(post, wallet), wallet)
    const { verifyMessage } = api.chain
    api.chain.verifyMessage = () => Promise.reject(new ChainUnavailable('no answer'))
    try {
      expect((await accept(acceptance)).status).toBe(503)
    } finally {
      api.chain.verifyMessage = verifyMessage
    }
    expect((await accept(acceptance)).status).toBe(200)
  })

  test('version and digest must be the current ones', async () => {
    const wallet = anActor()
    const acceptance = await anAcceptance(await challengeFor(post, wallet), wallet)
    for (const stale of [{ bundleVersion: 'before' }, { bundleDigest: `sha256:${'0'.repeat(64)}` }]) {
      expect(await accept({ ...acceptance, ...stale })).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('not the current policies (version accepted') },
      })
    }
  })

  test('a challenge for other policies cannot be used for these', async () => {
    const wallet = anActor()
    const challenge = await withOtherPolicies({ version: 'elsewhere' }, (app) =>
      challengeFor(async (path, body) => toAnswer(await postTo(app, path, body)), wallet),
    )
    const { bundle } = await challengeFor(post, wallet)
    expect(await accept(await anAcceptance({ ...challenge, bundle }, wallet))).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('for other policies') },
    })
  })

  test('accepting again gives another receipt, and the one before stays valid', async () => {
    const wallet = anActor()
    const [first, second] = [await acceptPolicies(post, wallet), await acceptPolicies(post, wallet)]
    expect(first).not.toBe(second)
    for (const receipt of [first, second]) expect((await statusOf(receipt)).body.accepted).toBe(true)
  })

  test('a draft in production can be neither challenged nor accepted', async () => {
    const draft = { version: 'sketch', status: 'draft', effectiveAt: null }
    const acceptance = await anAcceptance(await challengeFor(post, anActor()), anActor())
    await withOtherPolicies(
      draft,
      async (app) => {
        expect(await (await app.request('/api/legal/current')).json()).toMatchObject({ acceptanceAvailable: false })
        for (const [path, body] of [
          ['/legal/challenge', { walletAddress: anActor().address }],
          ['/legal/accept/wallet', acceptance],
        ] as const) {
          expect(await toAnswer(await postTo(app, path, body))).toMatchObject({
            status: 409,
            body: { error: expect.stringContaining('draft') },
          })
        }
      },
      'production',
    )
  })
})

describe('GET /legal/status', () => {
  test('says of a receipt whose it is, and that no shared cache may keep the answer', async () => {
    const wallet = anActor()
    const receipt = await acceptPolicies(post, wallet)
    const { body, headers } = await statusOf(receipt)
    expect(body).toEqual({
      accepted: true,
      subjectType: 'wallet',
      receipt,
      walletAddress: getAddress(wallet.address),
      acceptedAt: expect.stringMatching(/Z$/),
      bundle: (await api.get('/api/legal/current')).body,
    })
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('vary')).toContain('X-Service-Legal-Receipt')
  })

  test('without a receipt, with an unknown one and with one of other policies nothing is accepted', async () => {
    const bundle = (await api.get('/api/legal/current')).body
    const stale = await withOtherPolicies({ version: 'older' }, (app) =>
      acceptPolicies(async (path, body) => toAnswer(await postTo(app, path, body)), anActor()),
    )
    for (const receipt of ['', 'nonsense', `legal_${'A'.repeat(43)}`, stale]) {
      expect((await statusOf(receipt)).body).toEqual({ accepted: false, bundle })
    }
    expect((await api.get('/api/legal/status')).body).toEqual({ accepted: false, bundle })
  })
})

async function postTo(app: TestApi['app'], path: string, body: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return await app.request(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function toAnswer(response: Response) {
  return { status: response.status, body: await response.json() }
}
