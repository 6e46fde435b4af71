import { fromBase64, toBase64 } from '../http/base64.ts'

/**
 * Messages of x402, version 2, their headers, and the client that pays. `@x402/core` has all of them, too: it is 14 kB of a
 * browser's 41, its declarations need the types of Node, and a header is JSON in base64.
 */

/** One way to pay, in base units of `asset`. Example: `{scheme: 'exact', network: 'eip155:8453', amount: '1000', ...}`. */
export interface PaymentRequirements {
  scheme: string
  network: `${string}:${string}`
  asset: string
  amount: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, unknown>
}

/** The challenge of a 402: the resource, and the ways to pay for it. */
export interface PaymentRequired {
  x402Version: number
  error?: string
  resource: { url: string; description?: string; mimeType?: string }
  accepts: PaymentRequirements[]
  extensions?: Record<string, unknown>
}

/** A signed payment: the accepted requirements, and the signature with the signed fields. */
export interface PaymentPayload {
  x402Version: number
  resource?: PaymentRequired['resource']
  accepted: PaymentRequirements
  payload: Record<string, unknown>
  extensions?: Record<string, unknown>
}

/** Signs payments. Example: an `x402Client` of `@x402/core/client` that has the scheme `exact` of `@x402/evm`. */
export interface PaymentClient {
  createPaymentPayload(required: PaymentRequired): Promise<PaymentPayload>
}

/**
 * Decodes the header PAYMENT-REQUIRED, without checking its fields.
 * @throws Error when it is no JSON in base64
 */
export function decodePaymentRequired(header: string): PaymentRequired {
  return JSON.parse(new TextDecoder().decode(fromBase64(header)))
}

/** Encodes a payment as the value of the header PAYMENT-SIGNATURE. */
export function encodePaymentSignature(payment: PaymentPayload): string {
  return toBase64(new TextEncoder().encode(JSON.stringify(payment)))
}
