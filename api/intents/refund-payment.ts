import type { PaymentAuthorization } from '../payments/authorization.ts'
import type { BoundIntent } from './intent.ts'
import { paymentOf } from './relayed-call.ts'

/**
 * The payment that a refund returns, under the newest signature that its payer presented: a contract wallet whose
 * key changed does not take the first one any more.
 */
export function refundPaymentOf(intent: BoundIntent): PaymentAuthorization {
  const { id, refundSignature } = intent
  const payment = paymentOf(intent)
  if (payment === null) throw new Error(`intent ${id} has no payment to give back`)
  return refundSignature === null ? payment : { ...payment, signature: refundSignature }
}
