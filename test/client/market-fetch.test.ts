import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { marketFetch } from '../../client/src/market-fetch.ts'
import { MarketFetchError } from '../../client/src/payments/paid-request.ts'
import { fileStore } from '../../client/src/store/file-store.ts'
import type { Store } from '../../client/src/store/store.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'
import type { Actor } from '../support/actors.ts'
import { aClient, aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()
const body = { description: 'Write a haiku', reward: '2000000', duration: 24, tags: [] }

/** A stock client of a wallet, behind our fetch. Without a store, the deployment file is one of before bound payments. */
function aFetch(
  { account }: Actor,
  fetch: typeof globalThis.fetch = globalThis.fetch,
  { waitMs = 60_000, store }: { waitMs?: number; store?: Store } = {},
) {
  const { baseUrl, deployment: current } = inject('conformanceStack')
  const { bound: _, ...plain } = current
  const deployment = store === undefined ? plain : current
  const client = x402Client.fromConfig({
    schemes: [{ network: `eip155:${localNetwork.chainId}`, client: new ExactEvmScheme(account) }],
    spendControls: false,
  })
  const stored = store === undefined ? {} : { store }
  return marketFetch(client, { url: baseUrl, account, deployment, fetch, waitMs, onWarning: () => {}, ...stored })
}

// Whichever file moved it ahead before.
beforeAll(() => environment.chain.passTime(7_200))
/** A stock client takes the host's clock for the chain's, which tests of this stack move ahead. */
beforeEach(async () => {
  const aheadMs = Number(await environment.chain.headTime()) * 1000 - Date.now()
  const hostNow = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => hostNow() + aheadMs)
})
afterEach(() => vi.restoreAllMocks())

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

  test('given a wallet that takes bound calls alone, then its write is paid by a payment that is bound to its call', async () => {
    const wallet = await environment.aWallet()
    expect(await aClient(wallet).write('setBoundOnly', { boundOnly: true })).toMatchObject({ kind: 'completed' })
    const response = await create(
      aFetch(wallet, globalThis.fetch, { store: fileStore({ directory: aWalletDirectory() }) }),
    )
    expect([response.status, await response.json()]).toMatchObject([200, { taskId: expect.stringMatching(/^0x/) }])
  })

  const inFlight = {
    error: 'The write is on its way.',
    service: { reason: 'intent_in_flight', intentStatus: 'broadcast' },
  }
  test.each<[string, (send: () => Promise<Response>) => Promise<Response>]>([
    ['an answer that is cut', async (send) => new Response((await (await send()).text()).slice(0, -9))],
    ['a write that is in flight', async (send) => Response.json(inFlight, { status: (await send()).ok ? 409 : 500 })],
  ])('given %s, then the record of the key is the answer, and the write acts once', async (_, spoil) => {
    const wallet = await environment.aWallet()
    const money = await environment.chain.watch({ wallet: wallet.address })
    const requests: string[] = []
    const response = await create(
      aFetch(wallet, async (input, init) => {
        const request = new Request(input, init)
        if (request.headers.has('payment-signature')) requests.push(request.method)
        return requests.length === 1 ? await spoil(() => fetch(request)) : await fetch(request)
      }),
    )
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'completed', taskId: expect.stringMatching(/^0x/) })
    expect(requests[0]).toBe('POST')
    expect(requests.slice(1).every((method) => method === 'GET')).toBe(true)
    expect(await money.changes()).toEqual({ wallet: -2_000_000n })
  })

  test('given a paid request that does not arrive, then it is sent again with the same key and payment', async () => {
    const wallet = await environment.aWallet()
    const money = await environment.chain.watch({ wallet: wallet.address })
    const paid: (string | null)[] = []
    const response = await create(
      aFetch(wallet, async (input, init) => {
        const request = new Request(input, init)
        if (request.method !== 'POST' || !request.headers.has('payment-signature')) return await fetch(request)
        paid.push(`${request.headers.get('x-service-idempotency-key')} ${request.headers.get('payment-signature')}`)
        if (paid.length === 1) throw new TypeError('fetch failed')
        return await fetch(request)
      }),
    )
    expect(await response.json()).toMatchObject({ taskId: expect.stringMatching(/^0x/) })
    expect(paid).toEqual([paid[0], paid[0]])
    expect(await money.changes()).toEqual({ wallet: -2_000_000n })
  })

  test.each([
    ['a service that answers no more', undefined, 2_000],
    ['a caller that gives up', () => AbortSignal.timeout(2_000), 60_000],
  ])('given %s after the payment, then the outcome is unknown, and the key is named', async (_, signalOf, waitMs) => {
    const wallet = await environment.aWallet()
    const key = aKey()
    let isPaid = false
    const silent: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      isPaid ||= request.headers.has('payment-signature')
      if (isPaid) throw new TypeError('fetch failed')
      return await fetch(request)
    }
    const headers = { 'X-Service-Idempotency-Key': key }
    const asked = create(aFetch(wallet, silent, { waitMs }), {
      headers,
      ...(signalOf !== undefined && { signal: signalOf() }),
    })
    await expect(asked).rejects.toThrow(MarketFetchError)
    await expect(asked).rejects.toThrow(key)
  })
})

/** Creates a task. */
function create(send: typeof globalThis.fetch, { headers, ...init }: RequestInit = {}): Promise<Response> {
  return send(`${inject('conformanceStack').baseUrl}/api/tasks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(headers as Record<string, string>) },
    body: JSON.stringify(body),
    ...init,
  })
}
