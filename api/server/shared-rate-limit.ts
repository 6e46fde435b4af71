import { LRUCache } from 'lru-cache'
import type { Deps } from '../deps.ts'
import type { RateLimitState } from '../http/client-rate-limits.ts'
import { clientNameInTables } from '../identity/client-name.ts'
import type { RateLimit, RateLimitCounter } from './rate-limit.ts'
import { consumeRateLimit, findRateLimit, refundRateLimit } from './rate-limits.queries.ts'

/** A client that was refused is refused for this long without asking the database again, milliseconds. */
const REFUSAL_MS = 1_000
const REMEMBERED_REFUSALS = 10_000

/** A rate limit that all processes on one database share. */
export function createSharedCounter({ sql, config }: Pick<Deps, 'sql' | 'config'>, limit: RateLimit): RateLimitCounter {
  const { name, quota, windowSeconds } = limit
  // Made with the first refusal: it takes its memory at once, and few limits ever refuse.
  let refusals: LRUCache<string, RateLimitState> | null = null
  const keyOf = (client: string) => ({
    name,
    client: clientNameInTables(config.URL_SIGNING_SECRET, `budget ${name}`, client),
  })
  return {
    consume: async (client, units = 1) => {
      const refused = refusals?.get(client)
      if (refused !== undefined) return refused
      const state = await consumeRateLimit(sql, { ...keyOf(client), quota, windowSeconds, units })
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
