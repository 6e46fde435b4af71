import { createNotifier, type Notifier } from '../concurrency/notifier.ts'
import type { Database } from '../db/client.ts'
import type { BoundIntent } from '../intents/intent.ts'
import { findBoundIntent } from '../intents/intents.queries.ts'

/** The database channel that announces completed, failed and held intents. The payload is the intent's id. */
const CHANNEL = 'service_intents'
/**
 * The pause between two polls of a waiting request, in milliseconds. Requests poll because notifications are lost while
 * the database connection is broken.
 */
const ASK_EVERY_MS = 1_000

/** Lets requests wait for the outcomes of intents. Another process may relay the intents. */
export interface IntentOutcomes {
  start(): Promise<void>
  stop(): Promise<void>
  /**
   * Returns the intent when it is completed, failed or held; null if `signal` aborted or the process stopped earlier.
   */
  wait(intentId: string, signal: AbortSignal): Promise<BoundIntent | null>
}

/**
 * Creates the object with which requests wait for the outcomes of intents.
 * @param askEveryMs the time in milliseconds after which a waiting request reads its intent again, if no notification
 * arrives
 */
export function createIntentOutcomes(sql: Database, askEveryMs: number = ASK_EVERY_MS): IntentOutcomes {
  const notifiers = new Map<string, Set<Notifier>>()
  const stopping = new AbortController()
  let unlisten: (() => Promise<void>) | null = null

  return {
    start: async () => {
      const subscription = await sql.listen(CHANNEL, (intentId) => {
        for (const notifier of notifiers.get(intentId) ?? []) notifier.notify()
      })
      unlisten = subscription.unlisten
    },
    stop: async () => {
      stopping.abort()
      await unlisten?.()
    },
    wait: async (intentId, signal) => {
      const endSignal = AbortSignal.any([signal, stopping.signal])
      const notifier = createNotifier()
      const siblings = notifiers.get(intentId) ?? new Set()
      notifiers.set(intentId, siblings.add(notifier))
      try {
        for (;;) {
          const intent = await findBoundIntent(sql, intentId)
          if (intent !== null && isDecided(intent)) return intent
          if (endSignal.aborted) return null
          await notifier.wait(askEveryMs, endSignal)
        }
      } finally {
        siblings.delete(notifier)
        if (siblings.size === 0) notifiers.delete(intentId)
      }
    },
  }
}

function isDecided(intent: BoundIntent): boolean {
  return intent.status === 'completed' || intent.status === 'failed' || intent.status === 'held'
}
