import type { Reason } from '../../../protocol/reasons.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'

/**
 * Throws the error of a refusal in stages 5 and 7. Returns if the refusal is null.
 * @throws ServiceError `payment_payer_mismatch` or `payment_preflight_rejected`; nothing was charged
 */
export function admit(refusal: Refusal | null, intent?: IntentFacts): void {
  if (refusal !== null) throw refused(refusal, intent)
}

/** Returns the error of a refusal. For a reached limit (429) the error reason is `unclassified`. */
export function refused(refusal: Refusal, intent?: IntentFacts): ServiceError {
  const { status, failure, message, field, retryAfterSeconds } = refusal
  return new ServiceError(status, reasonOf(refusal), message, {
    detail: failure,
    ...(intent && { intent }),
    ...(field !== undefined && { issues: [{ path: field, message }] }),
    ...(retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  })
}

function reasonOf({ status, payerMismatch }: Refusal): Reason {
  if (status === 429) return 'unclassified'
  return payerMismatch === true ? 'payment_payer_mismatch' : 'payment_preflight_rejected'
}
