import { type Address, isAddress } from 'viem'
import { type Account, checkedAccount } from './account/account.ts'
import { fetchBound } from './bound-fetch.ts'
import { nodeOfUrl } from './chain/node.ts'
import { openChain } from './chain/rpc.ts'
import { checkUrl, defaultTiming } from './context.ts'
import { type Client, createClient } from './create-client.ts'
import { chooseDeployment, listForwarders } from './deployment/deployment.ts'
import { warnOnce } from './deployment/real-key.ts'
import { readChallenge } from './payments/challenge.ts'
import { answerOf, MarketFetchError } from './payments/paid-request.ts'
import { paymentText, SERVICE_NAME, sha256Hex } from './payments/payment-text.ts'
import {
  decodePaymentRequired,
  encodePaymentSignature,
  type PaymentClient,
  type PaymentPayload,
} from './payments/x402.ts'
import type { Store } from './store/store.ts'

export { MarketFetchError } from './payments/paid-request.ts'
export type { PaymentClient } from './payments/x402.ts'

export interface MarketFetchOptions {
  /** The service's root. */
  url: string
  /** The wallet that the x402 client pays with: it signs that a payment is for its request. */
  account: Account
  deployment?: unknown
  /** Journal and limits of the wallet: needed where the deployment takes bound payments, which the journal keeps. */
  store?: Store
  /** With a node, receivers of other shops are asked whether they are a market's forwarder. */
  rpcUrl?: string
  /** How long the outcome of a paid request is awaited, milliseconds; 90 s unless given. */
  waitMs?: number
  fetch?: typeof globalThis.fetch
  /** Takes what a person should read, such as that a real key signs on a local chain; `console.warn` unless given. */
  onWarning?: (message: string) => void
}

const LEGAL_HEADER = 'X-Service-Legal-Receipt'
const KEY_HEADER = `X-${SERVICE_NAME.charAt(0).toUpperCase()}${SERVICE_NAME.slice(1)}-Idempotency-Key`

/**
 * `fetch` for a stock x402 client. To the service it pays with a proof that names the request, under an idempotency key; where
 * the deployment takes bound payments the x402 client pays it nothing, and the client's own engine makes the paid writes;
 * elsewhere it pays as the client would, but never to a forwarder of a market: such a payment could be presented there
 * as this wallet's act. Follows no redirect, because what counts is the URL really requested. A write whose answer does not
 * arrive, or that is in flight, is looked up by its key; of a completed one the record is the answer.
 */
export function marketFetch(client: PaymentClient, options: MarketFetchOptions): typeof globalThis.fetch {
  const { url, rpcUrl, waitMs = defaultTiming.waitMs, fetch = globalThis.fetch, onWarning = console.warn } = options
  const root = new URL(checkUrl(url))
  const deployment = chooseDeployment(options.deployment, [root.href, rpcUrl])
  const account = checkedAccount(options.account)
  const warning = warnOnce(account.address, deployment)
  if (warning !== null) onWarning(warning)
  const chain = rpcUrl === undefined ? null : openChain(nodeOfUrl(rpcUrl), deployment)
  const forwarders = listForwarders(deployment)

  const payMarket = async (request: Request): Promise<Response> => {
    if (deployment.bound === true) return await makeBound(request)
    const body = new Uint8Array(await request.arrayBuffer())
    const key = (request.headers.get(KEY_HEADER) ?? crypto.randomUUID()).toLowerCase()
    const { method, signal } = request
    const again = (more: Record<string, string>, until: AbortSignal) => {
      const headers = new Headers(request.headers)
      for (const [name, value] of Object.entries({ [KEY_HEADER]: key, ...more })) headers.set(name, value)
      return fetch(new Request(request.url, { method, headers, body, redirect: 'error', signal: until }))
    }
    // A write that a signature in its body pays for acts at once.
    const first = await again({}, signal).catch((cause) => {
      if (signal.aborted) throw cause
      throw new MarketFetchError(
        `The outcome of this write is unknown: its answer did not arrive. Look it up by the idempotency key ${key}, or send the same request with it again.`,
        { cause },
      )
    })
    if (first.status !== 402) return first
    const read = readChallenge(first.headers.get('payment-required'), deployment)
    if (!read.ok) throw new MarketFetchError(`${read.problem} Nothing was signed.`)
    const { required, accepted, amount } = read.challenge
    const payload = await client.createPaymentPayload({ ...required, accepts: [accepted] })
    const nonce = checkPayload(payload, { forwarder: deployment.forwarder, amount, from: account.address })
    const named = {
      method: request.method,
      path: new URL(request.url).pathname,
      key,
      bodySha256: await sha256Hex(body),
    }
    const proof = await account.signMessage({ message: `${paymentText(deployment, named)}:${nonce}` })
    const header = encodePaymentSignature(payload)
    const record = `${root.href.replace(/\/+$/, '')}/api/intents?idempotencyKey=${key}`
    return await answerOf({
      key,
      signal,
      waitMs,
      send: (until) => again({ 'PAYMENT-SIGNATURE': header, 'X-Service-Payment-Proof': proof }, until),
      look: (until) =>
        fetch(new Request(record, { headers: { 'PAYMENT-SIGNATURE': header }, redirect: 'error', signal: until })),
    })
  }

  const makeBound = async (request: Request): Promise<Response> => {
    const { store } = options
    if (store === undefined) {
      throw new MarketFetchError(
        'This deployment takes bound payments: `marketFetch` needs a `store` for their journal.',
      )
    }
    const legalReceipt = request.headers.get(LEGAL_HEADER)
    const market: Client = createClient({
      url,
      account,
      deployment,
      store,
      fetch,
      onWarning,
      timing: { waitMs },
      ...(rpcUrl !== undefined && { rpcUrl }),
      ...(legalReceipt !== null && { legalReceipt }),
    })
    return await fetchBound(market, {
      request,
      key: request.headers.get(KEY_HEADER)?.toLowerCase(),
      send: () => fetch(new Request(request, { redirect: 'error' })),
    })
  }

  /** @throws MarketFetchError when the node does not say it */
  const isMarket = async (payTo: string): Promise<boolean> => {
    if (forwarders.includes(payTo.toLowerCase() as Address)) return true
    if (chain === null || !isAddress(payTo, { strict: false })) return false
    return await chain.isForwarder(payTo).catch((cause) => {
      throw new MarketFetchError(`The node does not say what ${payTo} is: nothing was signed.`, { cause })
    })
  }

  const payElsewhere = async (request: Request): Promise<Response> => {
    const again = request.clone()
    const first = await fetch(new Request(request, { redirect: 'error' }))
    const header = first.status === 402 ? first.headers.get('payment-required') : null
    if (header === null) return first
    const required = decodePaymentRequired(header)
    for (const { payTo } of required.accepts) {
      if (!(await isMarket(payTo))) continue
      throw new MarketFetchError(`${again.url} asks for a payment to a task market: nothing was signed.`)
    }
    const payload = await client.createPaymentPayload(required)
    const paid = new Request(again, { redirect: 'error' })
    paid.headers.set('PAYMENT-SIGNATURE', encodePaymentSignature(payload))
    return await fetch(paid)
  }

  return async (input, init) => {
    const request = new Request(input, init)
    const { origin, pathname } = new URL(request.url)
    const isWrite = origin === root.origin && /^\/(api|trpc)\//.test(pathname) && request.method === 'POST'
    if (isWrite) return await payMarket(request)
    // Uploads to the service and reads of it are never paid: they get none of the headers.
    if (origin === root.origin) return await fetch(new Request(request, { redirect: 'error' }))
    return await payElsewhere(request)
  }
}

/** The client has signed what was asked for, and nothing else. Its nonce. @throws MarketFetchError */
function checkPayload(
  { payload }: PaymentPayload,
  { forwarder, amount, from }: { forwarder: Address; amount: bigint; from: Address },
): string {
  const { authorization } = payload as { authorization?: Record<string, unknown> }
  const is = (name: string, value: string) => String(authorization?.[name]).toLowerCase() === value.toLowerCase()
  if (is('to', forwarder) && is('value', amount.toString()) && is('from', from)) return String(authorization?.nonce)
  throw new MarketFetchError('The x402 client signed another payment than the one that was asked for; it was not sent.')
}
