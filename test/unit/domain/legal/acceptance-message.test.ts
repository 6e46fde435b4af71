import { expect, test } from 'vitest'
import { toAcceptanceMessage } from '../../../../api/domain/legal/acceptance-message.ts'
import { toPolicyBundle } from '../../../../api/domain/legal/bundle-digest.ts'

const hashOf = (byte: string) => `sha256:${byte.repeat(32)}`

const bundle = toPolicyBundle({
  version: '1.0.0',
  status: 'approved',
  effectiveAt: '2030-01-01T00:00:00.000Z',
  publishedAt: '2029-12-01T00:00:00.000Z',
  acceptanceStatement: 'I have read and agree.',
  documents: [
    { type: 'terms_of_service', version: '1.2', title: 'Terms', summary: 'x', contentHash: hashOf('aa') },
    { type: 'privacy_policy', version: '1.0', title: 'Privacy', summary: 'x', contentHash: hashOf('bb') },
    { type: 'risk_disclosure', version: '1.1', title: 'Risks', summary: 'x', contentHash: hashOf('cc') },
    {
      type: 'acceptable_use_policy',
      version: '2.0',
      title: 'Acceptable use',
      summary: 'x',
      contentHash: hashOf('dd'),
    },
  ],
})

/** Interface, "Legal": the lines of the message. */
test('given a challenge, then it names the wallet, the bundle, its validity and every document by its hash as served', () => {
  const message = toAcceptanceMessage({
    title: 'Service',
    wallet: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    bundle,
    nonce: '11111111-2222-4333-8444-555555555555',
    issuedAt: '2030-01-02T00:00:00.000Z',
    expiresAt: '2030-01-02T00:10:00.000Z',
  })
  expect(message.split('\n')).toEqual([
    'Service legal acceptance',
    '',
    'Wallet: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    'Bundle: 1.0.0',
    'Issued at: 2030-01-02T00:00:00.000Z',
    'Expires at: 2030-01-02T00:10:00.000Z',
    'Nonce: 11111111-2222-4333-8444-555555555555',
    '',
    'Documents:',
    `- Terms (1.2): ${hashOf('aa')}`,
    `- Privacy (1.0): ${hashOf('bb')}`,
    `- Risks (1.1): ${hashOf('cc')}`,
    `- Acceptable use (2.0): ${hashOf('dd')}`,
    '',
    'I have read and agree.',
  ])
})
