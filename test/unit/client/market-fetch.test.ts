import type { x402Client } from '@x402/core/client'
import { encodePaymentRequiredHeader } from '@x402/core/http'
import { expect, test } from 'vitest'
import { marketFetch } from '../../../client/src/market-fetch.ts'
import { MarketFetchError } from '../../../client/src/payments/paid-request.ts'
import { anActor } from '../../support/actors.ts'

const address = (digits: string) => `0x${digits.repeat(20)}` as const
const deployment = { chainId: 8453, market: address('a1'), forwarder: address('b2'), usdc: address('c3') }
const requirement = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: address('c3'),
  amount: '10000',
  maxTimeoutSeconds: 60,
  extra: {},
} as const

test.each([
  ['our forwarder is paid to', deployment.forwarder, {}],
  [
    'another account is paid to, and a node that does not say what it is',
    address('d4'),
    { rpcUrl: 'http://127.0.0.1:9' },
  ],
])('given another shop at which %s, then nothing is signed for it', async (_, payTo, node) => {
  let asked = 0
  const client = {
    createPaymentPayload: async () => {
      asked += 1
      throw new Error('signed')
    },
  } as unknown as x402Client
  const resource = { url: 'https://shop.example/picture', description: '', mimeType: '' }
  const header = encodePaymentRequiredHeader({
    x402Version: 2,
    error: '',
    resource,
    accepts: [{ ...requirement, payTo }],
  })
  const shop: typeof fetch = async () => new Response('{}', { status: 402, headers: { 'PAYMENT-REQUIRED': header } })
  const { account } = anActor()
  const options = { url: 'https://market.example', account, deployment, fetch: shop, ...node }
  await expect(marketFetch(client, options)('https://shop.example/picture')).rejects.toThrow(MarketFetchError)
  expect(asked).toBe(0)
})

test('given a write without a payment whose answer does not arrive, then the error names its key', async () => {
  const sent: string[] = []
  const broken: typeof fetch = async (input) => {
    sent.push((input as Request).headers.get('x-service-idempotency-key') ?? '')
    throw new TypeError('fetch failed')
  }
  const { account } = anActor()
  const url = 'https://market.example'
  const market = marketFetch({} as x402Client, { url, account, deployment, fetch: broken })
  const claimed = market(`${url}/api/tasks/0x1/claim`, { method: 'POST', body: '{}' })
  await expect(claimed).rejects.toThrow(MarketFetchError)
  await expect(claimed).rejects.toThrow(sent[0])
  expect(sent).toHaveLength(1)
  const ended = AbortSignal.abort()
  await expect(market(`${url}/api/tasks`, { method: 'POST', body: '{}', signal: ended })).rejects.not.toThrow(
    MarketFetchError,
  )
})
