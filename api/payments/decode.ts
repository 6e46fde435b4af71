import { decodePaymentSignatureHeader } from '@x402/core/http'
import { x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { type Address, type Hex, hashTypedData } from 'viem'
import { z } from 'zod'
import { MAX_SIGNATURE_BYTES } from '../../protocol/text/signature-size.ts'
import type { Deployment } from '../chain/deployment.ts'
import { toUsableSignature, unwrapSignature } from '../chain/signature-forms.ts'
import { authorizationTypedData, type PaymentAuthorization, toTransfer } from './authorization.ts'

/**
 * The longest accepted `PAYMENT-SIGNATURE` header, in characters. Every genuine header is shorter, even with a contract
 * wallet's signature.
 */
const MAX_HEADER_LENGTH = 14_000

const hex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text.toLowerCase())
const address = hex(/^0x[0-9a-fA-F]{40}$/).transform((text) => text as Address)
const bytes32 = hex(/^0x[0-9a-fA-F]{64}$/).transform((text) => text as Hex)
const uint256 = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt)
  .refine((value) => value < 1n << 256n, { error: 'must be below 2^256' })

const payloadSchema = z.object({
  x402Version: z.literal(2),
  accepted: z.record(z.string(), z.unknown()),
  payload: z.object({
    signature: hex(/^0x(?:[0-9a-fA-F]{2})+$/)
      .refine((text) => text.length <= 2 + 2 * MAX_SIGNATURE_BYTES, {
        error: `must have at most ${MAX_SIGNATURE_BYTES} bytes`,
      })
      .transform((text) => text as Hex),
    authorization: z.object({
      from: address,
      to: address,
      value: uint256,
      validAfter: uint256,
      validBefore: uint256,
      nonce: bytes32,
    }),
    /** The salt of a bound payment. Absent in a plain payment. */
    bound: z.object({ salt: bytes32 }).exactOptional(),
  }),
})

/** A decoded, well-formed payment. It is not verified yet. */
export interface PresentedPayment {
  /** The authorization. Its signature is without an ERC-6492 envelope. */
  authorization: PaymentAuthorization
  /** The receiver that the authorization names. */
  to: Address
  /** The payment requirement that the client claims to fulfil. */
  accepted: PaymentPayload['accepted']
  /** True if the signature was sent in an ERC-6492 envelope. */
  isWrapped: boolean
}

/**
 * The result of decoding a header: the payment, or an error message. `field`: the invalid field of the payload, if only
 * one field is invalid.
 */
export type DecodedPayment = { payment: PresentedPayment } | { payment: null; message: string; field?: string }

/**
 * Decodes a `PAYMENT-SIGNATURE` header.
 *
 * Example: a payload with too long a signature returns `{payment: null, field: 'payload.signature', message:
 * 'payload.signature of PAYMENT-SIGNATURE must have at most 4096 bytes.'}`.
 */
export function decodePayment(header: string): DecodedPayment {
  if (header.length > MAX_HEADER_LENGTH) {
    const limits = `at most ${MAX_HEADER_LENGTH}, and its payload.signature at most ${MAX_SIGNATURE_BYTES} bytes`
    return { payment: null, message: `PAYMENT-SIGNATURE has ${header.length} characters: it may have ${limits}.` }
  }
  let json: unknown
  try {
    json = decodePaymentSignatureHeader(header)
  } catch {
    return { payment: null, message: FORM }
  }
  const parsing = payloadSchema.safeParse(json)
  if (!parsing.success) {
    const issue = parsing.error.issues.find(({ code }) => code === 'custom')
    if (issue === undefined) return { payment: null, message: FORM }
    const field = issue.path.join('.')
    return { payment: null, field, message: `${field} of PAYMENT-SIGNATURE ${issue.message}.` }
  }
  const { signature, authorization, bound } = parsing.data.payload
  const { to, ...plainAuthorization } = authorization
  const signedAuthorization = { ...plainAuthorization, ...bound }
  const { signature: inner, isWrapped } = unwrapSignature(signature)
  const acceptedRequirement = parsing.data.accepted as PaymentPayload['accepted']
  return {
    payment: {
      authorization: { ...signedAuthorization, signature: inner },
      to,
      accepted: acceptedRequirement,
      isWrapped,
    },
  }
}

const FORM =
  'PAYMENT-SIGNATURE must be the base64 JSON of an x402 version 2 payload of scheme "exact" with an authorization.'

/**
 * Decodes a `PAYMENT-SIGNATURE` header with `decodePayment`. Then converts the signature to the form in which
 * signatures are stored.
 */
export function readPayment(
  deployment: Pick<Deployment, 'chainId' | 'usdc' | 'usdcDomain' | 'forwarder'>,
  header: string,
): DecodedPayment {
  const decoding = decodePayment(header)
  if (decoding.payment === null) return decoding
  const { authorization } = decoding.payment
  const { signature } = toUsableSignature({
    address: authorization.from,
    digest: () => hashTypedData(authorizationTypedData(deployment, toTransfer(deployment, authorization))),
    signature: authorization.signature,
  })
  return { payment: { ...decoding.payment, authorization: { ...authorization, signature } } }
}

/**
 * Returns the payer in a `PAYMENT-SIGNATURE` header, in lower case. Null if the header is absent or malformed. The
 * signature is not checked.
 */
export function findPresentedPayer(header: string | undefined): Address | null {
  return (header === undefined ? null : decodePayment(header).payment)?.authorization.from ?? null
}

// The library's matcher; without initialisation it never calls a facilitator.
const matcher = new x402ResourceServer()

/** Returns true if the x402 library accepts the payment for this requirement. */
export function isForRequirement(payment: PresentedPayment, requirement: PaymentRequirements): boolean {
  const payload: PaymentPayload = { x402Version: 2, accepted: payment.accepted, payload: {} }
  return matcher.findMatchingRequirements([requirement], payload) !== undefined
}
