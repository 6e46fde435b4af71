import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { callerOf } from '../../identity/caller.ts'
import type { Intent } from '../../intents/intent.ts'
import { findIntentById, findIntentByKey } from '../../intents/intents.queries.ts'
import { defineRoute } from '../define-route.ts'
import { toIntentView } from './intents.mapper.ts'
import { type IntentQuery, intentQuerySchema, intentSchema } from './intents.schemas.ts'
import { mayReadIntent } from './may-read-intent.ts'

/**
 * Returns the outcome of a relayed write. The request names the write by intent id or by idempotency key. See the
 * specification, "Intents" and "Authentication" 9.
 *
 * Example: `GET /api/intents?idempotencyKey=a60a..` answers `{"intentId": "a059..", "idempotencyKey": "a60a..",
 * "operation": "tasks.create", "status": "completed", ..}`.
 */
export const getIntent = defineRoute({
  operationId: 'getIntent',
  method: 'get',
  path: '/intents',
  tag: 'intents',
  summary: 'Outcome of a relayed write',
  description:
    'By `intentId` or by `idempotencyKey`. Readable by the initiator (read-identity headers, or the original ' +
    '`PAYMENT-SIGNATURE`); while reserved, by any holder of the key. Any other caller gets the same answer as for an intent ' +
    'that does not exist.',
  query: intentQuerySchema,
  audience: 'caller',
  headers: { 'PAYMENT-SIGNATURE': 'The payment that funded the write: proves its payer.' },
  responses: {
    200: { description: 'The intent.', schema: intentSchema },
    404: { description: 'No such intent, or none this caller may read.' },
  },
  reasons: ['intent_not_found'],
  handler: async (deps, { query }, c) => {
    if ((await callerOf(c, deps)) === null) await c.get('rateLimits').consume('intentReads')
    const intent = await findIntent(deps, query)
    const mayRead = intent !== null && (await mayReadIntent(c, deps, { intent, isByKey: query.intentId === undefined }))
    if (intent === null || !mayRead) {
      throw new ServiceError(
        404,
        'intent_not_found',
        'There is no such intent for this caller. Check the id or key, and say who you are: send the PAYMENT-SIGNATURE ' +
          'of the write again, or the read-identity headers of its signer.',
        { detail: 'intent_unreadable' },
      )
    }
    return toIntentView(intent)
  },
})

async function findIntent(
  { sql }: Pick<Deps, 'sql'>,
  { intentId, idempotencyKey }: IntentQuery,
): Promise<Intent | null> {
  if (intentId !== undefined) return await findIntentById(sql, intentId)
  return idempotencyKey === undefined ? null : await findIntentByKey(sql, idempotencyKey)
}
