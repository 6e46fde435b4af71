import type { Hex } from 'viem'
import {
  type ForwarderPlace,
  type PaidRequest,
  paymentRequestText,
  requestHashOf,
} from '../../../protocol/bound-call.ts'

/** The first word of signed texts and of `X-<Name>-` headers. */
export const SERVICE_NAME = 'service'

/** The text that names a request to a deployment. */
export function paymentText(deployment: ForwarderPlace, request: PaidRequest): string {
  return paymentRequestText(SERVICE_NAME, deployment, request)
}

/**
 * The nonce of a payment that pays for this request only. USDC accepts a nonce of a wallet once, so a key and a body are
 * paid for at most once, however often they are signed.
 */
export function boundNonce(deployment: ForwarderPlace, request: PaidRequest): Hex {
  return requestHashOf(paymentText(deployment, request))
}

/** SHA-256 of a body, lower-case hex without 0x. */
export async function sha256Hex(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
