import type { IntentFacts } from '../errors/service-error.ts'
import type { Intent } from '../intents/intent.ts'

/**
 * Returns an intent's fields for an error body. The caller holds the intent's key or payment, so the key is included.
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
