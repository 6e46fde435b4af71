import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { openAudit, scriptContracts, viewKey } from '../../support/scripted-books.ts'
import { indexUpTo } from '../observability/operator-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

test('given no comparison yet, then 503 with Retry-After', async () => {
  const { status, headers, body } = await api.get('/api/books')
  expect([status, headers.get('retry-after'), body.service.reason]).toEqual([503, '5', 'unclassified'])
})

test('given a comparison, then both sides at its block, amounts as text and addresses with checksums', async () => {
  const { market, forwarder, usdc } = api.deps.deployment
  const script = scriptContracts(api.chain)
  await indexUpTo(api, 12n, START)
  script.views.set(viewKey(market, 'totalEscrow'), 0n)
  script.views.set(viewKey(forwarder, 'fees'), 0n)
  script.balances.set(`${usdc} ${market}`, 4n)
  await openAudit(api, script).sums()
  const { status, body } = await api.get('/api/books')
  expect(status).toBe(200)
  expect(body).toEqual({
    block: 12,
    timestamp: '2030-01-01T00:00:00.000Z',
    assets: [
      {
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        contracts: [
          {
            name: 'market',
            address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
            balance: '4',
            accounts: [
              { account: 'escrow', amount: '0' },
              { account: 'stake', amount: '0' },
              { account: 'credit', amount: '0' },
            ],
            views: [{ name: 'totalEscrow', amount: '0' }],
            difference: '0',
          },
          {
            name: 'forwarder',
            address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
            // The token gave no answer.
            balance: null,
            accounts: [{ account: 'service_fees', amount: '0' }],
            views: [{ name: 'fees', amount: '0' }],
            difference: '0',
          },
        ],
      },
    ],
  })
})
