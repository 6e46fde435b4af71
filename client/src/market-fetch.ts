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
  /** The service's root URL. */
  url: string
  /**
   * The account from which the x402 client pays. For each payment to the service, the account also signs a text that
   * names the request.
   */
  account: Account
  deployment?: unknown
  /**
   * Stores the wallet's journal and limits. Required at a deployment that accepts bound payments, because the journal
   * records the payments.
   */
  store?: Store
  /**
   * The URL of a node of the deployment's chain. If a server other than the service asks for a payment, the client asks
   * this node whether the receiver is a market's forwarder. The client refuses to pay a forwarder.
   */
  rpcUrl?: string
  /** The longest time in milliseconds to wait for the outcome of a paid request. The default is 90 s. */
  waitMs?: number
  fetch?: typeof globalThis.fetch
  /**
   * Receives warnings for the user, such as a warning that a real key signs on a local chain. The default is
   * `console.warn`.
   */
  onWarning?: (message: string) => void
}

const LEGAL_HEADER = 'X-Service-Legal-Receipt'
const KEY_HEADER = `X-${SERVICE_NAME.charAt(0).toUpperCase()}${SERVICE_NAME.slice(1)}-Idempotency-Key`

/**
 * Returns a `fetch` function that pays for requests and never follows redirects. Usually the given x402 client pays. At
 * a deployment that accepts bound payments, this package's own client pays the service instead.
 *
 * Each write to the service carries an idempotency key. If the x402 client pays, the request also carries the account's
 * signature of a text that names the paid request. If the answer of a write is lost, the function reads the service's
 * record of the write by the key. If the record shows a completed write, the function returns the recorded answer.
 *
 * If a server other than the service asks for a payment, the x402 client pays in the usual way, with one exception. If
 * the receiver is a market's forwarder, the function refuses to pay. That server could use the payment to make a write
 * in this wallet's name.
 * @example
 * const pay = marketFetch(x402, { url: 'https://market.example', account, store: fileStore() })
 * const response = await pay('https://market.example/api/tasks', { method: 'POST', body })
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
    const again = (extraHeaders: Record<string, string>, until: AbortSignal) => {
      const headers = new Headers(request.headers)
      for (const [name, value] of Object.entries({ [KEY_HEADER]: key, ...extraHeaders })) headers.set(name, value)
      return fetch(new Request(request.url, { method, headers, body, redirect: 'error', signal: until }))
    }
    // A write whose price is paid by a signature in its body acts at once.
    const first = await again({}, signal).catch((cause) => {
      if (signal.aborted) throw cause
      throw new MarketFetchError(
        `The outcome of this write is unknown: its answer did not arrive. Look it up by the idempotency key ${key}, or send the same request with it again.`,
        { cause },
      )
    })
    if (first.status !== 402) return first
    const reading = readChallenge(first.headers.get('payment-required'), deployment)
    if (!reading.ok) throw new MarketFetchError(`${reading.problem} Nothing was signed.`)
    const { required, accepted, amount } = reading.challenge
    const payload = await client.createPaymentPayload({ ...required, accepts: [accepted] })
    const nonce = checkPayload(payload, { forwarder: deployment.forwarder, amount, from: account.address })
    const proofRequest = {
      method: request.method,
      path: new URL(request.url).pathname,
      key,
      bodySha256: await sha256Hex(body),
    }
    const proof = await account.signMessage({ message: `${paymentText(deployment, proofRequest)}:${nonce}` })
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

  /**
   * Reports whether the receiver of a payment is a market's forwarder.
   * @throws MarketFetchError when the node does not answer
   */
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
    const requirements = decodePaymentRequired(header)
    for (const { payTo } of requirements.accepts) {
      if (!(await isMarket(payTo))) continue
      throw new MarketFetchError(`${again.url} asks for a payment to a task market: nothing was signed.`)
    }
    const payload = await client.createPaymentPayload(requirements)
    const paidRequest = new Request(again, { redirect: 'error' })
    paidRequest.headers.set('PAYMENT-SIGNATURE', encodePaymentSignature(payload))
    return await fetch(paidRequest)
  }

  return async (input, init) => {
    const request = new Request(input, init)
    const { origin, pathname } = new URL(request.url)
    const isWrite = origin === root.origin && /^\/(api|trpc)\//.test(pathname) && request.method === 'POST'
    if (isWrite) return await payMarket(request)
    // Uploads to the service and reads of it are never paid: they carry none of the headers.
    if (origin === root.origin) return await fetch(new Request(request, { redirect: 'error' }))
    return await payElsewhere(request)
  }
}

/**
 * Checks that the x402 client signed exactly the requested payment, and returns the nonce of the authorization.
 * @throws MarketFetchError
 */
function checkPayload(
  { payload }: PaymentPayload,
  { forwarder, amount, from }: { forwarder: Address; amount: bigint; from: Address },
): string {
  const { authorization } = payload as { authorization?: Record<string, unknown> }
  const is = (name: string, value: string) => String(authorization?.[name]).toLowerCase() === value.toLowerCase()
  if (is('to', forwarder) && is('value', amount.toString()) && is('from', from)) return String(authorization?.nonce)
  throw new MarketFetchError('The x402 client signed another payment than the one that was asked for; it was not sent.')
}
