import { LRUCache } from 'lru-cache'
import type { Deps } from '../deps.ts'
import type { RateLimitState } from '../http/client-rate-limits.ts'
import { clientNameInTables } from '../identity/client-name.ts'
import type { RateLimit, RateLimitCounter } from './rate-limit.ts'
import { consumeRateLimit, findRateLimit, refundRateLimit } from './rate-limits.queries.ts'

/**
 * The time in milliseconds during which a refused client is refused again with no database query.
 * `REMEMBERED_REFUSALS`: the largest number of remembered clients.
 */
const REFUSAL_MS = 1_000
const REMEMBERED_REFUSALS = 10_000

/** Creates the counter of a rate limit that all processes of one database share. */
export function createSharedCounter({ sql, config }: Pick<Deps, 'sql' | 'config'>, limit: RateLimit): RateLimitCounter {
  const { name, quota, windowSeconds } = limit
  // The cache is created at the first refusal, because it allocates its memory at once and few limits ever refuse.
  let refusals: LRUCache<string, RateLimitState> | null = null
  const keyOf = (client: string) => ({
    name,
    client: clientNameInTables(config.URL_SIGNING_SECRET, `budget ${name}`, client),
  })
  const consumeNow = (client: string, units: number) =>
    consumeRateLimit(sql, { ...keyOf(client), quota, windowSeconds, units })
  const consumeTogether = createBatches(consumeNow)
  return {
    consume: async (client, units = 1) => {
      const refusedState = refusals?.get(client)
      if (refusedState !== undefined) return refusedState
      const state = await consumeTogether(client, units)
      if (!state.granted) {
        refusals ??= new LRUCache({ max: REMEMBERED_REFUSALS, ttl: REFUSAL_MS })
        refusals.set(client, state)
      }
      return state
    },
    peek: async (client) => {
      const { used, seconds } = (await findRateLimit(sql, keyOf(client))) ?? { used: 0, seconds: windowSeconds }
      return { granted: used < quota, left: Math.max(0, quota - used), seconds: Math.max(1, seconds) }
    },
    refund: async (client, units = 1) => {
      await refundRateLimit(sql, keyOf(client), units)
    },
  }
}

type Consume = (client: string, units: number) => Promise<RateLimitState>

/**
 * Collects the requests of a client that arrive while a statement runs, and counts all of them with the next statement.
 * If the limit refuses their total, each request is counted separately.
 */
function createBatches(consume: Consume): Consume {
  // Separate statements would all wait for the lock of one row.
  const runningCounts = new Map<string, Promise<unknown>>()
  const waitingBatches = new Map<string, { units: number; state: Promise<RateLimitState> }>()
  const run = (client: string, units: number): Promise<RateLimitState> => {
    const state = consume(client, units)
    const end = state
      .catch(() => {})
      .then(() => {
        if (runningCounts.get(client) === end) runningCounts.delete(client)
      })
    runningCounts.set(client, end)
    return state
  }
  const join = (client: string, before: Promise<unknown>) => {
    const batch = { units: 0, state: before.then(start) }
    function start(): Promise<RateLimitState> {
      waitingBatches.delete(client)
      return run(client, batch.units)
    }
    waitingBatches.set(client, batch)
    return batch
  }
  return async (client, units) => {
    const before = runningCounts.get(client)
    if (before === undefined) return await run(client, units)
    const batch = waitingBatches.get(client) ?? join(client, before)
    batch.units += units
    const state = await batch.state
    return state.granted || batch.units === units ? state : await consume(client, units)
  }
}
