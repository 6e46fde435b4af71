import type { Context } from 'hono'
import { paymentRequestText, requestHashOf } from '../../../protocol/bound-call.ts'
import { type BoundPayment, isBound } from '../../../protocol/relay.ts'
import { consentText } from '../../../protocol/signed/account-texts.ts'
import { type SignedMessage, toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import { NOT_DEPLOYED } from '../../chain/take-signature.ts'
import type { Transaction } from '../../db/client.ts'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import { bodySha256Of } from '../../http/bodies/body-digest.ts'
import { serviceHeaderNames } from '../../http/header-names.ts'
import { isConsentRequired, lockConsentShared, startConsent } from '../../identity/wallet-consents.queries.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { proveConsent } from '../../payments/prove-consent.ts'
import type { WriteDeps } from '../write-deps.ts'

/** The payer's consent to one request, from a verified payment. */
export interface Consent {
  payment: PaymentAuthorization
  /** True if the payer proved that the payment is for this request. */
  isProven: boolean
  /**
   * The error for a payment without a proof that the payer pays for this request. The error is thrown if the payer's
   * wallet requires these proofs.
   */
  refusal: ServiceError
}

export interface ConsentRequest {
  c: Context
  /** The idempotency key in lower case. */
  key: string
  payment: PaymentAuthorization
  intent: IntentFacts
}

/**
 * Checks the payer's consent in stage 7. If the wallet requires proofs, the payer must have proved that the payment is
 * for this request (docs/internals/security.md). The payment must be verified before this check.
 * @throws ServiceError 403 `payment_preflight_rejected`: the proof is invalid, or missing and required; nothing was
 * charged
 */
export async function checkConsent(deps: WriteDeps, request: ConsentRequest): Promise<Consent> {
  const { c, payment, intent } = request
  const texts = requestTexts(deps, request)
  const name = serviceHeaderNames(deps.config.SERVICE_NAME).paymentProof
  const remedy = isBound(payment)
    ? `Nothing was charged. Its salt must be keccak256 of "${texts[0]}".`
    : `${remedyOf(texts[0], { name, payment })} ${switchRemedyOf(deps, payment)}`
  const refuse = (problem: string) =>
    new ServiceError(403, 'payment_preflight_rejected', `${problem} ${remedy}`, { detail: 'consent_required', intent })
  if (isBound(payment)) return checkSalt(payment, { texts, refuse })
  const proof = await proveConsent(deps.chain, payment, { texts, header: c.req.header(name) })
  if (proof === 'undeployed') {
    throw new ServiceError(403, 'payment_preflight_rejected', NOT_DEPLOYED, { detail: 'wallet_not_deployed', intent })
  }
  if (proof === 'wrong') throw refuse(`${name} is not a signature of ${payment.from} for this request.`)
  const refusal = refuse(`${payment.from} takes only payments that name their request.`)
  const isProven = proof !== 'none'
  if (!isProven && (await isConsentRequired(deps.sql, payment.from))) throw refusal
  return { payment, isProven, refusal }
}

/**
 * Checks that the salt of a bound payment is the hash of one of `texts`, the texts that name this request. A matching
 * salt proves the payer's consent to the request. The nonce, which commits to the contract call, is checked elsewhere.
 */
function checkSalt(
  payment: BoundPayment,
  { texts, refuse }: { texts: readonly string[]; refuse: (problem: string) => ServiceError },
): Consent {
  const { salt, from } = payment
  const refusal = refuse(`The salt of this bound payment names another request of ${from} than this one.`)
  if (!texts.some((text) => requestHashOf(text) === salt)) throw refusal
  return { payment, isProven: true, refusal }
}

/**
 * Checks the consent again in stage 9, inside the binding transaction. A wallet can require a proof that each payment
 * is for the request that contains the payment. If this payment has a proof, the wallet's requirement is switched on,
 * unless the wallet's owner has already chosen a setting. If this payment has no proof, the requirement is checked
 * again, because another request may have switched the requirement on since stage 7.
 * @throws ServiceError the refusal of `checkConsent`
 */
export async function keepConsent(
  tx: Transaction,
  { payment, isProven, refusal }: Consent,
  intentId: string,
): Promise<void> {
  if (isProven) return await startConsent(tx, payment.from, intentId)
  // Sent at once: the second statement runs once the lock is held.
  const [, isRequired] = await Promise.all([lockConsentShared(tx, payment.from), isConsentRequired(tx, payment.from)])
  if (isRequired) throw refusal
}

/**
 * Returns the texts with which the payer can consent to this request. One text suffices. Each text contains the
 * idempotency key. The first text has the key in lower case. The second text has the key as the request header has it,
 * and is left out if both keys are equal.
 */
function requestTexts(
  { config, deployment }: WriteDeps,
  { c, key }: ConsentRequest,
): [SignedMessage, ...SignedMessage[]] {
  const { method, url } = c.req
  const sentKey = c.req.header(serviceHeaderNames(config.SERVICE_NAME).idempotencyKey) ?? key
  const request = { method, path: new URL(url).pathname, bodySha256: bodySha256Of(c) }
  const textOf = (signedKey: string) =>
    paymentRequestText(config.SERVICE_NAME, deployment, { ...request, key: signedKey })
  return sentKey === key ? [textOf(key)] : [textOf(key), textOf(sentKey)]
}

function remedyOf(text: string, { name, payment }: { name: string; payment: PaymentAuthorization }): string {
  return (
    `Nothing was charged. Sign an authorization whose nonce is keccak256 of "${text}", or send in ${name} the wallet’s ` +
    `EIP-191 signature over "${text}:${payment.nonce}".`
  )
}

/**
 * Returns the instruction that tells the payer how to switch off the requirement of a proof. While the requirement is
 * on, each payment of the wallet needs a proof of the request that the payment is for. Some clients, such as standard
 * x402 clients, cannot prove for which request they pay.
 */
function switchRemedyOf({ config, deployment }: WriteDeps, { from }: PaymentAuthorization): string {
  const offText = consentText(deployment, { wallet: from, isRequired: false, timestamp: '<timestamp>' })
  const text = toSignedMessage(config.SERVICE_NAME, offText)
  return (
    'For a client that names no request, switch this off: POST /api/wallet/consent with {walletAddress, required: false, ' +
    `timestamp, signature}, where the signature is the wallet’s (EIP-191) over "${text}" and the timestamp is Unix seconds, ` +
    'now. The client package does it by `task-market wallet consent off`.'
  )
}
