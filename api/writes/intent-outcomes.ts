import { createNotifier, type Notifier } from '../concurrency/notifier.ts'
import type { Database } from '../db/client.ts'
import type { BoundIntent } from '../intents/intent.ts'
import { findBoundIntent } from '../intents/intents.queries.ts'

/** The channel of terminal changes of intents; the payload is the intent's id. */
const CHANNEL = 'service_intents'
/** The poll interval of a waiting request, milliseconds: a notification can be lost with its connection. */
const ASK_EVERY_MS = 1_000

/** The outcomes of intents for waiting requests, whichever process relays them. */
export interface IntentOutcomes {
  start(): Promise<void>
  stop(): Promise<void>
  /** Returns the intent once it is completed, failed or held; null when `signal` (or a shutdown) came first. */
  wait(intentId: string, signal: AbortSignal): Promise<BoundIntent | null>
}

/** Creates the waiter. @param askEveryMs milliseconds between two reads of a request without a notification */
export function createIntentOutcomes(sql: Database, askEveryMs: number = ASK_EVERY_MS): IntentOutcomes {
  const notifiers = new Map<string, Set<Notifier>>()
  const stopping = new AbortController()
  let unlisten: (() => Promise<void>) | null = null

  return {
    start: async () => {
      const listening = await sql.listen(CHANNEL, (intentId) => {
        for (const notifier of notifiers.get(intentId) ?? []) notifier.notify()
      })
      unlisten = listening.unlisten
    },
    stop: async () => {
      stopping.abort()
      await unlisten?.()
    },
    wait: async (intentId, signal) => {
      const ended = AbortSignal.any([signal, stopping.signal])
      const notifier = createNotifier()
      const siblings = notifiers.get(intentId) ?? new Set()
      notifiers.set(intentId, siblings.add(notifier))
      try {
        for (;;) {
          const intent = await findBoundIntent(sql, intentId)
          if (intent !== null && isDecided(intent)) return intent
          if (ended.aborted) return null
          await notifier.wait(askEveryMs, ended)
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
