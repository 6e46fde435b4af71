import type { HttpEntry } from '../../environment/evidence-log.ts'
import type { Evidence } from '../evidence.ts'
import { type Violation, violationsOf } from '../violation.ts'

const notAfterBroadcast = violationsOf('no 402 after a broadcast')
const noServerError = violationsOf('no 5xx from a request')
const classified = violationsOf('every error has its reason')

/** The fixed list of the interface, with the statuses each may come with. */
const reasons: Record<string, readonly number[]> = {
  intent_in_flight: [409],
  idempotency_key_reused: [409],
  idempotency_key_required: [400],
  idempotency_key_conflict: [409],
  idempotency_key_payload_mismatch: [409],
  payment_already_spent: [409],
  intent_not_found: [404],
  intent_completion_deferred: [500],
  payment_rejected: [402, 400, 500],
  payment_preflight_rejected: [400, 403, 404, 409],
  payment_payer_mismatch: [403],
  idempotency_check_unavailable: [503],
  unclassified: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503, 507],
}

/** After a transaction of a key is signed, its answer is never 402. */
export function checkNoLate402({ log, tables }: Evidence): Violation[] {
  return log.http.flatMap(({ key, status, startedAt, faultCase }) => {
    if (status !== 402 || key === null) return []
    const row = tables.intents.find((intent) => intent.key === key)
    const signedAt = tables.attempts.filter(({ intentId }) => intentId === row?.id).map((attempt) => attempt.signedAt)
    if (signedAt.every((at) => at >= startedAt)) return []
    return notAfterBroadcast(`key ${key}`, `was answered 402 in "${faultCase}", after its transaction was signed`)
  })
}

/** A 5xx is admitted only in a fault case with an outage, and only with "nothing was charged". */
export function checkNoServerError({ log }: Evidence): Violation[] {
  return log.http.flatMap((entry) => {
    if (entry.status === null || entry.status < 500) return []
    const reason = reasonIn(entry)
    if (reason === 'intent_completion_deferred') return []
    const isOutage = log.faultCases.find(({ name }) => name === entry.faultCase)?.isOutage ?? false
    const isRetryable = reason === 'idempotency_check_unavailable' || reason === 'payment_rejected'
    if (isWithoutGas(log, entry)) return []
    if (isOutage && (isRetryable || entry.status === 507 || entry.method === 'GET')) return []
    const answer = `${entry.method} ${entry.path} was answered ${entry.status} ${JSON.stringify(entry.body)}`
    return noServerError(`key ${entry.key} in "${entry.faultCase}"`, answer)
  })
}

/**
 * A foreign call beyond the daily gas quota is answered how to call the contract directly; a plain call never is.
 */
function isWithoutGas({ writes }: Evidence['log'], { key, status, body }: HttpEntry): boolean {
  const sentence = (body as { error?: unknown } | null)?.error
  const isForeign = key !== null && writes.some((write) => write.key === key && write.isForeign)
  return isForeign && status === 503 && typeof sentence === 'string' && sentence.includes('Send it directly to 0x')
}

export function checkReasons({ log }: Evidence): Violation[] {
  return log.http.flatMap((entry) => {
    const { status, body, key, method, path, carriesPayment } = entry
    if (status === null || status < 400) return []
    const isChallenge = status === 402 && !carriesPayment
    if (isChallenge && Array.isArray((body as { accepts?: unknown } | null)?.accepts)) return []
    const reason = reasonIn(entry)
    if (reason !== null && reasons[reason]?.includes(status) === true) return []
    return classified(`key ${key}`, `${method} ${path} was answered ${status} with ${JSON.stringify(body)}`)
  })
}

function reasonIn({ body }: HttpEntry): string | null {
  const reason = (body as { service?: { reason?: unknown } } | null)?.service?.reason
  return typeof reason === 'string' ? reason : null
}
