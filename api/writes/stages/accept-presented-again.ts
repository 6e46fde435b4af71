import type { BoundIntent, Intent } from '../../intents/intent.ts'
import { REFUND_ATTEMPTS } from '../../intents/refund-limits.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import { renewRefundSignature } from '../../intents/refund-signatures.queries.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { isSignedByPayer } from '../../payments/verify.ts'
import type { WriteDeps } from '../write-deps.ts'

/** What presenting a payment of an intent once more showed. */
export interface PresentedAgain {
  /** The payer signed it; a nonce alone is public. */
  isGenuine: boolean
  /** How far the refund is now, if there is one. */
  refundStatus: Intent['refundStatus']
}

/**
 * Stage 7: a payment that funded an intent is presented again. Its first signature is taken as it was; any other one
 * must hold now (by key or ERC-1271). While the payment waits to go back, that one is kept for the refund: a contract
 * wallet whose key changed does not take the first any more.
 * @throws ChainUnavailable
 */
export async function acceptPresentedAgain(
  deps: WriteDeps,
  funded: BoundIntent,
  payment: PaymentAuthorization,
): Promise<PresentedAgain> {
  const { refundStatus } = funded
  const isFirst = paymentOf(funded)?.signature === payment.signature
  const isNewer = isSamePayment(funded, payment) && refundPaymentOf(funded).signature !== payment.signature
  if (isFirst && !isNewer) return { isGenuine: true, refundStatus }
  const holds = await isSignedByPayer(deps, payment)
  if (!holds || !isNewer) return { isGenuine: isFirst || holds, refundStatus }
  const { signature } = payment
  const renewed = await renewRefundSignature(deps.sql, funded, { signature, firstAttempts: REFUND_ATTEMPTS })
  if (renewed !== null) deps.log.info({ intentId: funded.id, refund: renewed }, 'a refund has a newer signature')
  return { isGenuine: true, refundStatus: renewed ?? refundStatus }
}

/** One nonce may be signed for another amount or time: such a signature gives nothing back. */
function isSamePayment(intent: BoundIntent, payment: PaymentAuthorization): boolean {
  const bound = paymentOf(intent)
  return (
    bound !== null &&
    bound.value === payment.value &&
    bound.validAfter === payment.validAfter &&
    bound.validBefore === payment.validBefore
  )
}
