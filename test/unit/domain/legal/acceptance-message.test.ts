import { expect, test } from 'vitest'
import { toAcceptanceMessage } from '../../../../api/domain/legal/acceptance-message.ts'
import { toPolicyBundle } from '../../../../api/domain/legal/bundle-digest.ts'

const bundle = toPolicyBundle({
  version: '1.0.0',
  status: 'approved',
  effectiveAt: '2030-01-01T00:00:00.000Z',
  publishedAt: '2029-12-01T00:00:00.000Z',
  acceptanceStatement: 'I have read and agree.',
  documents: [
    { type: 'terms_of_service', version: '1.2', title: 'Terms', summary: 'x', contentHash: 'aa'.repeat(32) },
    { type: 'privacy_policy', version: '1.0', title: 'Privacy', summary: 'x', contentHash: 'bb'.repeat(32) },
    { type: 'risk_disclosure', version: '1.1', title: 'Risks', summary: 'x', contentHash: 'cc'.repeat(32) },
    {
      type: 'acceptable_use_policy',
      version: '2.0',
      title: 'Acceptable use',
      summary: 'x',
      contentHash: 'dd'.repeat(32),
    },
  ],
})

/** Interface, "Legal": the lines of the message. */
test('names the wallet, the bundle, the time it is good for and every document by its hash', () => {
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
    `Bundle: 1.0.0 (${bundle.digest})`,
    'Issued at: 2030-01-02T00:00:00.000Z',
    'Expires at: 2030-01-02T00:10:00.000Z',
    'Nonce: 11111111-2222-4333-8444-555555555555',
    '',
    'Documents:',
    `- Terms (1.2): ${'aa'.repeat(32)}`,
    `- Privacy (1.0): ${'bb'.repeat(32)}`,
    `- Risks (1.1): ${'cc'.repeat(32)}`,
    `- Acceptable use (2.0): ${'dd'.repeat(32)}`,
    '',
    'I have read and agree.',
  ])
})
