import { type Hex, keccak256, stringToBytes } from 'viem'
import type { Deployment } from '../chain/deployment.ts'

/** One HTTP request that a payment can name. */
export interface PaidRequest {
  method: string
  /** As in the request line, `/api` or `/trpc` included, without the query. */
  path: string
  /** The idempotency key. */
  key: string
  /** SHA-256 of the body's bytes as sent, lower-case hex without 0x; of no bytes for a request without a body. */
  bodySha256: string
}

/**
 * The text by which a payer names the request that a payment is for (Interface, "Corrections after the first build":
 * Consent). It names the deployment too, so that it means nothing elsewhere.
 */
export function paymentRequestText(
  serviceName: string,
  { chainId, forwarder }: Pick<Deployment, 'chainId' | 'forwarder'>,
  { method, path, key, bodySha256 }: PaidRequest,
): string {
  return `${serviceName}:pay:${chainId}:${forwarder.toLowerCase()}:${method} ${path}:${key}:${bodySha256}`
}

/** The authorization nonce that names the request of this text: no header is needed beside it. */
export function boundNonceOf(text: string): Hex {
  return keccak256(stringToBytes(text))
}
