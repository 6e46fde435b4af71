import type { PaymentRequired } from '@x402/core/types'
import { type IntentFacts, ServiceError } from '../errors/service-error.ts'

/** A 402 error for an RPC client. It contains the body of the REST answer and the header `PAYMENT-REQUIRED`. */
export class PaymentChallenged extends ServiceError {
  readonly paymentRequired: PaymentRequired

  constructor({
    paymentRequired,
    header,
    intent,
  }: { paymentRequired: PaymentRequired; header: string; intent: IntentFacts }) {
    super(402, 'payment_rejected', paymentRequired.error ?? 'This write is paid.', {
      detail: 'payment_required',
      intent,
      headers: { 'PAYMENT-REQUIRED': header },
    })
    this.name = 'PaymentChallenged'
    this.paymentRequired = paymentRequired
  }
}
