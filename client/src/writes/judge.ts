import { type IntentStatus, intentStatuses } from '../../../protocol/intent-statuses.ts'
import type { Reason } from '../../../protocol/reasons.ts'
import type { Answer } from '../http/send.ts'
import { foreignAnswer, isRecord } from '../http/shape.ts'
import { writeShape } from '../http/shapes.ts'
import type { ErrorDetail, ErrorReason, Refusal } from './outcome.ts'

/** The meaning of the service's answer for the requested write. */
export type Judgement =
  | { kind: 'challenge'; header: string | null }
  /** The write is done. `txHash` is the transaction that the payment's receipt names; null if there is no receipt. */
  | { kind: 'done'; body: Record<string, unknown>; txHash: string | null }
  /** The request had no effect. */
  | { kind: 'refused'; refusal: Refusal }
  /**
   * The service has already received the idempotency key in an earlier request with other arguments. `standing`: what
   * the answer tells about the write of the earlier request. The earlier request may come from this wallet, because a
   * wallet can sign the same write with different bytes each time.
   */
  | { kind: 'mismatch'; refusal: Refusal; standing: Judgement }
  /** The service has a write with this status under the request's idempotency key. */
  | { kind: 'status'; status: IntentStatus; txHash: string | null; message: string }
  /** The outcome is unknown. `isAnswered` is true if the service answered that it cannot make the write now. */
  | { kind: 'open'; isAnswered: boolean; problem: string; retryAfterSeconds?: number }

interface ErrorBody {
  error?: unknown
  service?: { reason?: unknown; detail?: unknown; intentStatus?: unknown; txHash?: unknown } | null
}

/** Error reasons that prove, with any HTTP status, that the request had no effect. */
const harmlessReasons: readonly string[] = [
  'payment_payer_mismatch',
  'idempotency_key_required',
  'idempotency_key_conflict',
] satisfies Reason[]

/**
 * Interprets the service's answer to a write. An error is interpreted by the `reason` in its body. If the client does
 * not know the reason, the outcome stays open.
 * @param isPaid true if the request contained a payment
 */
export function judge(answer: Answer, isPaid: boolean): Judgement {
  if (answer.kind === 'none') return { kind: 'open', isAnswered: false, problem: answer.problem }
  const { url, status, headers, body } = answer
  if (status === 402 && !isPaid) return { kind: 'challenge', header: headers.get('payment-required') }
  if (status >= 200 && status < 300) {
    if (isRecord(body) && writeShape.accepts(body)) {
      return { kind: 'done', body, txHash: transactionIn(headers.get('payment-response')) }
    }
    // A proxy may have answered in place of the service, before or after the service did the write.
    return { kind: 'open', isAnswered: false, problem: foreignAnswer(url, body, writeShape) }
  }
  return judgeError(answer, isRecord(body) ? body : {})
}

const TRANSACTION = /^0x[0-9a-f]{64}$/

/**
 * Returns the transaction hash in a payment's receipt (base64 JSON in the header `PAYMENT-RESPONSE`); null without a
 * valid receipt.
 */
function transactionIn(receipt: string | null): string | null {
  try {
    const { transaction } = JSON.parse(atob(receipt ?? '')) as { transaction?: unknown }
    return typeof transaction === 'string' && TRANSACTION.test(transaction) ? transaction : null
  } catch {
    return null
  }
}

/**
 * Removes the payment challenge from an error body. The answer to a refused payment repeats the challenge together with
 * long JSON schemas.
 */
function withoutChallenge(body: object): object {
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => ['error', 'code', 'service', 'issues'].includes(name)),
  )
}

function judgeError(
  { url, status, headers }: Pick<Extract<Answer, { kind: 'answer' }>, 'url' | 'status' | 'headers'>,
  body: ErrorBody,
): Judgement {
  const { reason, detail, intentStatus, txHash } = body.service ?? {}
  const foreignMessage = `${url} answered ${status} without \`error\` and \`service.reason\`, which are expected.`
  const message = typeof body.error === 'string' ? body.error : foreignMessage
  const retryAfter = retryAfterOf(headers)
  const refusal = {
    reason: String(reason) as ErrorReason,
    ...(typeof detail === 'string' && { detail: detail as ErrorDetail }),
    message,
    status,
    error: withoutChallenge(body),
  }
  const refusedJudgement = (): Judgement => ({ kind: 'refused', refusal: { ...refusal, ...retryAfter } })
  const standingJudgement = (): Judgement =>
    typeof intentStatus === 'string' && isIntentStatus(intentStatus)
      ? {
          kind: 'status',
          status: intentStatus,
          txHash: typeof txHash === 'string' ? txHash : null,
          message,
        }
      : { kind: 'open', isAnswered: false, problem: message }

  if (typeof reason !== 'string') return { kind: 'open', isAnswered: false, problem: message, ...retryAfter }
  if (harmlessReasons.includes(reason)) return refusedJudgement()
  switch (reason) {
    case 'intent_in_flight':
    case 'intent_completion_deferred':
    case 'idempotency_key_reused':
      return standingJudgement()
    case 'idempotency_key_payload_mismatch':
      return {
        kind: 'mismatch',
        refusal,
        standing: standingJudgement(),
      }
    case 'payment_preflight_rejected':
      return intentStatus === 'failed' ? standingJudgement() : refusedJudgement()
    case 'payment_rejected':
      return status < 500 ? refusedJudgement() : { kind: 'open', isAnswered: true, problem: message }
    case 'idempotency_check_unavailable':
      return { kind: 'open', isAnswered: true, problem: message, ...retryAfter }
    case 'unclassified':
      if (status < 500 && status !== 408) return refusedJudgement()
      return { kind: 'open', isAnswered: status === 503, problem: message, ...retryAfter }
    default:
      return { kind: 'open', isAnswered: false, problem: message, ...retryAfter }
  }
}

function isIntentStatus(text: string): text is IntentStatus {
  return intentStatuses.some((status) => status === text)
}

function retryAfterOf(headers: Headers): { retryAfterSeconds?: number } {
  const value = headers.get('retry-after')
  return value !== null && /^[0-9]{1,6}$/.test(value) ? { retryAfterSeconds: Number(value) } : {}
}
