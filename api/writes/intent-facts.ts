import type { IntentFacts } from '../errors/service-error.ts'
import type { Intent } from '../intents/intent.ts'

/**
 * Returns an intent's fields for an error body. The fields include the idempotency key. The caller may see it, because
 * the caller sent the same key or the same payment.
 */
export function factsOf(intent: Intent): IntentFacts {
  return {
    intentId: intent.id,
    intentStatus: intent.status,
    operation: intent.operation,
    idempotencyKey: intent.idempotencyKey,
    ...(intent.txHash !== null && { txHash: intent.txHash }),
  }
}
