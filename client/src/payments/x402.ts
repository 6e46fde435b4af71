/**
 * Messages of x402, version 2, and the client that pays. The forms are those of `@x402/core`, whose declarations need the
 * types of Node: a program for browsers compiles against these.
 */

/** One way to pay. Example: `{scheme: 'exact', network: 'eip155:8453', amount: '1000', ...}`, in base units of `asset`. */
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

/** A signed payment: the requirements that it meets, and the signature with what it signs. */
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
