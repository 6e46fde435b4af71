import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import type { BoundIntent, Intent } from '../../intents/intent.ts'
import { REFUND_ATTEMPTS } from '../../intents/refund-limits.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import { renewRefundSignature } from '../../intents/refund-signatures.queries.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { isSignedByPayer } from '../../payments/verify.ts'
import type { WriteDeps } from '../write-deps.ts'

/** The result of checking a payment that is presented again. */
export interface PresentedAgain {
  /**
   * True if the payer signed the payment. A known nonce is no proof of this, because everybody can read the nonce on
   * chain.
   */
  isGenuine: boolean
  /** The status of the payment's refund. Null if the payment has no refund. */
  refundStatus: Intent['refundStatus']
}

/**
 * Checks, in stage 7, a payment that already funded an intent. If the signature is the payer's original signature, the
 * payment is genuine without a new check. A different signature must be valid now. The different signature is then
 * stored for the refund, if the payment has the same amount and times as before, and if the refund is pending or left
 * to an operator.
 * @throws ChainUnavailable
 */
export async function acceptPresentedAgain(
  deps: WriteDeps,
  intent: BoundIntent,
  payment: PaymentAuthorization,
): Promise<PresentedAgain> {
  const { refundStatus } = intent
  const first = paymentOf(intent)?.signature
  const isFirst = first === payment.signature || first === markOfSignature(payment.signature)
  const isNewer = isSamePayment(intent, payment) && refundPaymentOf(intent).signature !== payment.signature
  if (isFirst && !isNewer) return { isGenuine: true, refundStatus }
  const holds = await isSignedByPayer(deps, payment)
  if (!holds || !isNewer) return { isGenuine: isFirst || holds, refundStatus }
  const { signature } = payment
  const renewedStatus = await renewRefundSignature(deps.sql, intent, { signature, firstAttempts: REFUND_ATTEMPTS })
  if (renewedStatus !== null) deps.log.info({ intentId: intent.id, refund: renewedStatus }, 'refund signature replaced')
  return { isGenuine: true, refundStatus: renewedStatus ?? refundStatus }
}

/**
 * Returns the short hash of a signature. In old writes, the database keeps this hash instead of the signature. The SQL
 * function `service.mark_of_signature` computes the same hash.
 */
function markOfSignature(signature: Hex): Hex {
  return `0x${createHash('sha256').update(signature).digest('hex').slice(0, 16)}`
}

/**
 * Returns true if the payment's amount and times equal the amount and times of the intent's payment. Only then can the
 * payment's signature be used for the refund of the intent's payment.
 */
function isSamePayment(intent: BoundIntent, payment: PaymentAuthorization): boolean {
  const boundPayment = paymentOf(intent)
  return (
    boundPayment !== null &&
    boundPayment.value === payment.value &&
    boundPayment.validAfter === payment.validAfter &&
    boundPayment.validBefore === payment.validBefore
  )
}
