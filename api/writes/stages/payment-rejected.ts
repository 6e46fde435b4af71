import type { Context } from 'hono'
import { errorBody } from '../../errors/render-error.ts'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import { answerJsonText } from '../../http/json-answer.ts'
import { recordRequest } from '../../observability/request-facts.ts'
import type { Challenge } from '../../payments/challenge.ts'
import type { PaymentProblem } from '../../payments/verify.ts'

/**
 * The error for a payment that fails verification in stage 7. The answer is 402 with a new challenge. Nothing was
 * charged.
 */
export class PaymentRejected extends ServiceError {
  readonly challenge: Challenge

  constructor(problem: PaymentProblem, { challenge, intent }: { challenge: Challenge; intent: IntentFacts }) {
    super(402, 'payment_rejected', problem.message, { detail: problem.detail, intent })
    this.name = 'PaymentRejected'
    this.challenge = challenge
  }
}

/**
 * Answers a request without a payment in stage 7. The response header and the response body both contain the payment
 * requirement.
 */
export function answerChallenge(c: Context, challenge: Challenge): Response {
  return answerJsonText(c, challenge.required, 402, headersOf(challenge))
}

/** Answers a rejected payment with the error envelope and a new challenge in one body. */
export function answerRejection(c: Context, rejection: PaymentRejected, publicBaseUrl: string): Response {
  recordRequest(c, { reason: rejection.reason })
  const body = { ...rejection.challenge.required, ...errorBody(rejection, publicBaseUrl) }
  return answerJsonText(c, body, 402, headersOf(rejection.challenge))
}

function headersOf(challenge: Challenge): Record<string, string> {
  return { 'PAYMENT-REQUIRED': challenge.header, 'Cache-Control': 'no-store' }
}
