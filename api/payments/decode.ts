import { decodePaymentSignatureHeader } from '@x402/core/http'
import { x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { PaymentAuthorization } from './authorization.ts'

/** More than any genuine payload needs, contract-wallet signatures included. */
const MAX_HEADER_LENGTH = 12_000

const hex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text.toLowerCase())
const address = hex(/^0x[0-9a-fA-F]{40}$/).transform((text) => text as Address)
const uint256 = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt)
  .refine((value) => value < 1n << 256n)

const payloadSchema = z.object({
  x402Version: z.literal(2),
  accepted: z.record(z.string(), z.unknown()),
  payload: z.object({
    signature: hex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/).transform((text) => text as Hex),
    authorization: z.object({
      from: address,
      to: address,
      value: uint256,
      validAfter: uint256,
      validBefore: uint256,
      nonce: hex(/^0x[0-9a-fA-F]{64}$/).transform((text) => text as Hex),
    }),
  }),
})

/** A payment as a client presented it: well formed, nothing about it verified. */
export interface PresentedPayment {
  authorization: PaymentAuthorization
  /** Receiver of the authorization, as presented. */
  to: Address
  /** The requirement that the client accepts. */
  accepted: PaymentPayload['accepted']
}

/** Reads a `PAYMENT-SIGNATURE` header; null when it is not a v2 `exact` payload with an authorization. */
export function decodePayment(header: string): PresentedPayment | null {
  if (header.length > MAX_HEADER_LENGTH) return null
  let decoded: unknown
  try {
    decoded = decodePaymentSignatureHeader(header)
  } catch {
    return null
  }
  const parsed = payloadSchema.safeParse(decoded)
  if (!parsed.success) return null
  const { signature, authorization } = parsed.data.payload
  const { to, ...signed } = authorization
  return {
    authorization: { ...signed, signature },
    to,
    accepted: parsed.data.accepted as PaymentPayload['accepted'],
  }
}

/** The payer that a `PAYMENT-SIGNATURE` header names, lower case; null without a well-formed one. Proves nothing. */
export function findPresentedPayer(header: string | undefined): Address | null {
  return (header === undefined ? null : decodePayment(header))?.authorization.from ?? null
}

// Only its matching is used: it is never initialised, so it never calls a facilitator.
const matcher = new x402ResourceServer()

/** Whether the payment was made for this requirement, in the eyes of the x402 library. */
export function isForRequirement(payment: PresentedPayment, requirement: PaymentRequirements): boolean {
  const payload: PaymentPayload = { x402Version: 2, accepted: payment.accepted, payload: {} }
  return matcher.findMatchingRequirements([requirement], payload) !== undefined
}
