import { fromBase64, toBase64 } from '../http/base64.ts'

/**
 * Types and encodings of x402 (version 2): messages, headers and the paying client.
 *
 * The package `@x402/core` is not used. The package would add 14 kB to the browser client (41 kB) and needs Node's
 * types.
 */

/**
 * One accepted way to pay. `amount` is in base units of `asset`. Example:
 * `{scheme: 'exact', network: 'eip155:8453', amount: '1000', ...}`.
 */
export interface PaymentRequirements {
  scheme: string
  network: `${string}:${string}`
  asset: string
  amount: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, unknown>
}

/** The payment challenge of a 402 answer: the resource, and the accepted ways to pay for it. */
export interface PaymentRequired {
  x402Version: number
  error?: string
  resource: { url: string; description?: string; mimeType?: string }
  accepts: PaymentRequirements[]
  extensions?: Record<string, unknown>
}

/**
 * A signed payment. `accepted` is the chosen way to pay, and `payload` contains the signature and the signed fields.
 */
export interface PaymentPayload {
  x402Version: number
  resource?: PaymentRequired['resource']
  accepted: PaymentRequirements
  payload: Record<string, unknown>
  extensions?: Record<string, unknown>
}

/**
 * A client that signs payments. Example: an `x402Client` from `@x402/core/client` that has registered the scheme
 * `exact` from `@x402/evm`.
 */
export interface PaymentClient {
  createPaymentPayload(requirements: PaymentRequired): Promise<PaymentPayload>
}

/**
 * Decodes the header `PAYMENT-REQUIRED` without checking its fields.
 * @throws Error when the header is not JSON in base64
 */
export function decodePaymentRequired(header: string): PaymentRequired {
  return JSON.parse(new TextDecoder().decode(fromBase64(header)))
}

/** Encodes a payment as the value of the header `PAYMENT-SIGNATURE`. */
export function encodePaymentSignature(payment: PaymentPayload): string {
  return toBase64(new TextEncoder().encode(JSON.stringify(payment)))
}
