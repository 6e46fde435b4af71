import type { Hex } from 'viem'
import {
  type ForwarderPlace,
  type PaidRequest,
  paymentRequestText,
  requestHashOf,
} from '../../../protocol/bound-call.ts'

/** The service's name: the beginning of signed messages, and part of the `X-<Name>-` HTTP headers. */
export const SERVICE_NAME = 'service'

/**
 * Returns the text that identifies one paid request to a deployment.
 *
 * Example: `service:pay:8453:<forwarder>:POST /api/tasks:<key>:<SHA-256 of the body>`.
 */
export function paymentText(deployment: ForwarderPlace, request: PaidRequest): string {
  return paymentRequestText(SERVICE_NAME, deployment, request)
}

/**
 * Returns the nonce of a payment for one request: the hash of `paymentText`. USDC accepts each nonce of a wallet once.
 * The wallet therefore pays at most once for the same key and body.
 *
 * Example: `boundNonce(deployment, { method: 'POST', path: '/api/tasks', key, bodySha256 })`.
 */
export function boundNonce(deployment: ForwarderPlace, request: PaidRequest): Hex {
  return requestHashOf(paymentText(deployment, request))
}

/**
 * Returns the SHA-256 hash of a body as lower-case hex without 0x.
 *
 * Example: `await sha256Hex('{}')` is `44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a`.
 */
export async function sha256Hex(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
