import type { IntentFacts } from '../errors/service-error.ts'
import type { Intent } from '../intents/intent.ts'

/** Returns the facts of an intent in an error, for a caller who holds its key or its payment. */
export function factsOf(intent: Intent): IntentFacts {
  return {
    intentId: intent.id,
    intentStatus: intent.status,
    operation: intent.operation,
    idempotencyKey: intent.idempotencyKey,
    ...(intent.txHash !== null && { txHash: intent.txHash }),
  }
}
