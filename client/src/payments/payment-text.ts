import { type Hex, keccak256, stringToBytes } from 'viem'
import type { Deployment } from '../deployment/deployment.ts'

/** The first word of signed texts and of `X-<Name>-` headers. */
export const SERVICE_NAME = 'service'

/** One request that a payment names. */
export interface NamedRequest {
  method: string
  /** Of the request line, `/api` included, without the query. */
  path: string
  /** The idempotency key. */
  key: string
  /** SHA-256 of the bytes of the body, lower-case hex without 0x. */
  bodySha256: string
}

/** The text that names a request to a deployment. */
export function paymentText(
  { chainId, forwarder }: Pick<Deployment, 'chainId' | 'forwarder'>,
  { method, path, key, bodySha256 }: NamedRequest,
): string {
  return `${SERVICE_NAME}:pay:${chainId}:${forwarder.toLowerCase()}:${method} ${path}:${key}:${bodySha256}`
}

/**
 * The nonce of a payment that pays for this request only. USDC accepts a nonce of a wallet once, so a key and a body are
 * paid for at most once, however often they are signed.
 */
export function boundNonce(deployment: Pick<Deployment, 'chainId' | 'forwarder'>, request: NamedRequest): Hex {
  return keccak256(stringToBytes(paymentText(deployment, request)))
}

/** SHA-256 of a body, lower-case hex without 0x. */
export async function sha256Hex(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
