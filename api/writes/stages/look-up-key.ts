import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { Intent } from '../../intents/intent.ts'
import { findIntentByKey, type KeyedIntent } from '../../intents/intents.queries.ts'
import { factsOf } from '../intent-facts.ts'
import type { AnyWrite } from '../relayed-write.ts'

/**
 * Stage 3: what the key is bound to already. Only a live reservation of the same request lets a request go on.
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

/** The write under this key exists: its status says how far it is. Nothing was charged or sent again. */
export function keyReused(intent: Intent): ServiceError {
  return new ServiceError(
    409,
    'idempotency_key_reused',
    `A write under this key is ${intent.status} already; nothing was charged or sent again. Look it up at /intents.`,
    { detail: 'key_used', intent: factsOf(intent) },
  )
}

/** Another request under this key is at work right now. */
export function keyHeld(key: string, write: AnyWrite, reservation: KeyedIntent | null): ServiceError {
  const intent = reservation
    ? factsOf(reservation)
    : { intentStatus: 'reserved', operation: write.operation, idempotencyKey: key }
  return new ServiceError(
    409,
    'idempotency_key_reused',
    'Another request under this key is being worked on; look its outcome up at /intents.',
    { detail: 'key_in_use', intent },
  )
}
