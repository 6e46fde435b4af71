import type { PaymentAuthorization } from '../payments/authorization.ts'
import type { BoundIntent } from './intent.ts'
import { paymentOf } from './relayed-call.ts'

/**
 * Returns the payment that is refunded, with the payer's newest signature. A contract wallet may reject an earlier
 * signature, for example after a change of its owners.
 */
export function refundPaymentOf(intent: BoundIntent): PaymentAuthorization {
  const { id, refundSignature } = intent
  const payment = paymentOf(intent)
  if (payment === null) throw new Error(`intent ${id} has no payment to give back`)
  return refundSignature === null ? payment : { ...payment, signature: refundSignature }
}
