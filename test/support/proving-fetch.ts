import type { PrivateKeyAccount } from 'viem'
import { paymentProof } from './payment-text.ts'

/**
 * `fetch` that adds to each payment for the service at `baseUrl` the proof that its wallet means this request. It is used
 * below a stock client, which chooses the payment's nonce. Requests to other origins are not changed.
 */
export function createProvingFetch(
  account: PrivateKeyAccount,
  { baseUrl, fetch = globalThis.fetch }: { baseUrl: string; fetch?: typeof globalThis.fetch },
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const header = request.headers.get('payment-signature')
    const { origin, pathname: path } = new URL(request.url)
    if (header === null || origin !== new URL(baseUrl).origin) return await fetch(request)
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString())
    const key = request.headers.get('x-service-idempotency-key') ?? ''
    const named = { method: request.method, path, key, body: await request.clone().text() }
    const proof = await paymentProof(account, payload, named)
    for (const [name, value] of Object.entries(proof)) request.headers.set(name, value)
    return await fetch(request)
  }
}
