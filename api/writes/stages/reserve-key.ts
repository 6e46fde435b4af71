import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'
import { findIntentByKey, reserveIntent } from '../../intents/intents.queries.ts'
import { recordRequest } from '../../observability/request-facts.ts'
import type { AnyWrite } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { keyReused } from './look-up-key.ts'

/**
 * Reserves the key for this request in stage 6. The reservation expires, contains no payment, and promises no write.
 * @returns the intent's id
 * @throws ServiceError `idempotency_key_reused` when another request was faster
 */
export async function reserveKey(
  deps: WriteDeps,
  { c, key, write, fingerprint }: { c: Context; key: string; write: AnyWrite; fingerprint: Buffer },
): Promise<string> {
  const intentId = await reserveIntent(deps.sql, {
    id: randomUUID(),
    idempotencyKey: key,
    operation: write.operation,
    fingerprint,
    requestId: c.get('requestId'),
  })
  if (intentId === null) {
    const winner = await findIntentByKey(deps.sql, key)
    if (winner !== null) throw keyReused(winner)
    throw new ServiceError(
      503,
      'idempotency_check_unavailable',
      'The key changed hands meanwhile; send the request again.',
      { detail: 'key_in_use' },
    )
  }
  recordRequest(c, { operation: write.operation, intentId })
  deps.reach('after-reserve')
  return intentId
}
