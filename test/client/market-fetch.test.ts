import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { describe, expect, inject, test } from 'vitest'
import { MarketFetchError, marketFetch } from '../../client/src/market-fetch.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { openForeignShop } from '../support/foreign-shop.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()
const body = { description: 'Write a haiku', reward: '2000000', duration: 24, tags: [] }

/** A stock client of a wallet, behind our fetch. */
function aFetch({ account }: Actor, fetch: typeof globalThis.fetch = globalThis.fetch) {
  const { baseUrl, deployment } = inject('conformanceStack')
  const client = x402Client.fromConfig({
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
    spendControls: false,
  })
  return marketFetch(client, { url: baseUrl, account, deployment, fetch })
}

describe('A stock x402 client behind marketFetch', () => {
  test('given a paid write, then it is paid with a proof, which switches consent on', async () => {
    const { baseUrl } = inject('conformanceStack')
    const wallet = await environment.aWallet()
    const response = await aFetch(wallet)(`${baseUrl}/api/tasks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    const consent = await environment.get(`/wallet/consent?address=${wallet.address}`)
    expect(consent.body).toMatchObject({ required: true })
  })

  test('given another shop that names our forwarder, then nothing is signed', async () => {
    const wallet = await environment.aWallet()
    const client = await environment.clientOf(wallet)
    const requirement = await client.challenge({ path: '/tasks', key: aKey(), body })
    const shop = openForeignShop(requirement)
    await expect(aFetch(wallet, shop.fetch)('https://shop.example/picture')).rejects.toThrow(MarketFetchError)
    expect(() => shop.loot()).toThrow(/no customer/)
  })

  test('given answers that are lost, then the same request is sent again and acts once', async () => {
    const { baseUrl } = inject('conformanceStack')
    const wallet = await environment.aWallet()
    const money = await environment.chain.watch({ wallet: wallet.address })
    let lost = 0
    const response = await aFetch(wallet, async (input, init) => {
      const request = new Request(input, init)
      const isPaid = request.headers.has('payment-signature')
      const answer = await fetch(request)
      if (!isPaid || lost++ > 0) return answer
      throw new TypeError('fetch failed')
    })(`${baseUrl}/api/tasks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(await response.json()).toMatchObject({
      service: { reason: 'idempotency_key_reused', intentStatus: 'completed' },
    })
    expect(await money.changes()).toEqual({ wallet: -2_000_000n })
  })
})
