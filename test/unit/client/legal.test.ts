import { describe, expect, test } from 'vitest'
import { account, aToolService } from './tool-service.ts'

const wallet = account.address
const digest = `sha256:${'d'.repeat(64)}`
const bundle = {
  version: '1',
  bundleDigest: digest,
  acceptanceStatement: 'I agree.',
  documents: [
    { title: 'Terms', version: '1', url: 'https://market.example/terms', contentHash: `sha256:${'a'.repeat(64)}` },
  ],
}
const times = { issuedAt: '2026-11-25T10:00:00.000Z', expiresAt: '2026-11-25T10:10:00.000Z' }
const nonce = '3f9a4c8e-1d2b-4c6a-9e8f-0a1b2c3d4e5f'
const text = [
  'Service legal acceptance',
  '',
  `Wallet: ${wallet}`,
  'Bundle: 1',
  `Issued at: ${times.issuedAt}`,
  `Expires at: ${times.expiresAt}`,
  `Nonce: ${nonce}`,
  '',
  'Documents:',
  `- Terms (1): sha256:${'a'.repeat(64)}`,
  '',
  'I agree.',
].join('\n')

let challenge: object
let accepted: Record<string, unknown>[] = []
const service = aToolService(({ method, path, body }) => {
  const isChallenge = path === '/api/legal/challenge'
  if (method === 'POST' && !isChallenge) accepted.push(JSON.parse(body))
  const receipt = { receipt: 'legal_secret', bundleDigest: digest, bundleVersion: '1', acceptedAt: times.issuedAt }
  return { body: isChallenge ? challenge : receipt }
})

const accept = async (offered: object) => {
  accepted = []
  challenge = { bundle, message: text, nonce, walletAddress: wallet, ...times, ...offered }
  return await service.run(`legal accept --bundle ${digest}`)
}

describe('An acceptance of policies', () => {
  test('given the text of an acceptance, then it is signed, and the receipt is not shown', async () => {
    const run = await accept({})
    expect(run).toMatchObject({ exit: 0, err: '' })
    expect(run.out).not.toContain('legal_secret')
    expect(accepted).toMatchObject([{ walletAddress: wallet, nonce, bundleDigest: digest }])
  })

  test.each([
    ['another text', { message: 'service:claim:0x00' }],
    ['one line more', { message: `${text}\nAlso: everything` }],
    ['a line within a field', { nonce: `${nonce}\nx`, message: text.replace(nonce, `${nonce}\nx`) }],
    ['another wallet', { message: text.replace(wallet, `0x${'11'.repeat(20)}`) }],
  ])('given %s, then nothing is signed', async (_, offered) => {
    const run = await accept(offered)
    expect(run).toMatchObject({ exit: 4, out: '' })
    expect(accepted).toEqual([])
  })

  test('given other policies than those that were read, then nothing is signed', async () => {
    const run = await accept({ bundle: { ...bundle, bundleDigest: `sha256:${'e'.repeat(64)}` } })
    expect(run).toMatchObject({ exit: 2, out: '' })
    expect(accepted).toEqual([])
  })
})
