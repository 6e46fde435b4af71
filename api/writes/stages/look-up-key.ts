import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { Intent } from '../../intents/intent.ts'
import { findIntentByKey, type KeyedIntent } from '../../intents/intents.queries.ts'
import { factsOf } from '../intent-facts.ts'
import type { AnyWrite } from '../relayed-write.ts'
import type { KeyHolder } from '../write-services.ts'

/**
 * Looks up, in stage 3, the intent of a key. A request continues if the key is new or reserved for the same request.
 * @returns the reservation; null when the key is new
 * @throws ServiceError `idempotency_key_conflict`, `idempotency_key_payload_mismatch`, `idempotency_key_reused`
 */
export async function lookUpKey(
  sql: Database,
  { key, write, fingerprint }: { key: string; write: AnyWrite; fingerprint: Buffer },
): Promise<KeyedIntent | null> {
  const intent = await findIntentByKey(sql, key)
  if (intent === null) return null
  if (intent.operation !== write.operation) {
    throw new ServiceError(
      409,
      'idempotency_key_conflict',
      `This key belongs to another operation (${intent.operation}); use a fresh one.`,
      { detail: 'key_of_other_request', intent: factsOf(intent) },
    )
  }
  if (!intent.fingerprint.equals(fingerprint)) {
    throw new ServiceError(
      409,
      'idempotency_key_payload_mismatch',
      'This key belongs to the same operation with other arguments; send those, or use a fresh key.',
      { detail: 'key_of_other_request', intent: factsOf(intent) },
    )
  }
  if (intent.status !== 'reserved') throw keyReused(intent)
  return intent
}

/** Returns the refusal of a used key, with the status of the existing write. Nothing was charged or sent again. */
export function keyReused(intent: Intent): ServiceError {
  return new ServiceError(
    409,
    'idempotency_key_reused',
    `A write under this key is ${intent.status} already; nothing was charged or sent again. Look it up at /intents.`,
    { detail: 'key_used', intent: factsOf(intent) },
  )
}

/**
 * Refuses a request if an equal request in this process holds the key and has not begun to bind. The check uses no
 * database query.
 * @throws ServiceError `idempotency_key_reused`
 */
export function refuseDuplicate(
  { operation, fingerprint, intentId, isBinding }: KeyHolder,
  request: { key: string; write: AnyWrite; fingerprint: Buffer },
): void {
  const { key, write } = request
  const isSame = operation === write.operation && fingerprint.equals(request.fingerprint)
  if (isSame && !isBinding) throw keyHeld(key, write, intentId)
}

/**
 * Returns the refusal of a request whose idempotency key is in use by a running request. `intentId`: the id of the
 * intent that reserves the key; null if the running request has not reserved the key yet.
 */
export function keyHeld(idempotencyKey: string, { operation }: AnyWrite, intentId: string | null): ServiceError {
  const intent = { ...(intentId !== null && { intentId }), intentStatus: 'reserved', operation, idempotencyKey }
  return new ServiceError(
    409,
    'idempotency_key_reused',
    'Another request under this key is being worked on; look its outcome up at /intents.',
    { detail: 'key_in_use', intent },
  )
}
