import type { Context, MiddlewareHandler } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import type { ClientIpReader } from './client-ip.ts'
import { ServiceError } from './service-error.ts'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

/** What a client IP may use up (Interface, "Limits"). */
type BudgetName = 'reads' | 'writes' | 'intentReads' | 'freeRelays'

/** The budgets of one request's client. */
interface Budgets {
  /**
   * Uses up one unit and says in the answer's headers what is left.
   * @throws ServiceError 429 when nothing is left
   */
  spend: (name: BudgetName) => Promise<void>
  /** Gives one unit back: the request turned out to be one that costs nothing. */
  giveBack: (name: BudgetName) => Promise<void>
}

declare module 'hono' {
  interface ContextVariableMap {
    budgets: Budgets
  }
}

/** Gives every request the budgets of its client. They live in this process's memory. */
export function keepBudgets(config: Config, clientIp: ClientIpReader): MiddlewareHandler {
  const limiters: Record<BudgetName, RateLimiterMemory> = {
    reads: limiterOf('reads', config.READS_PER_MINUTE, MINUTE_SECONDS),
    writes: limiterOf('writes', config.WRITES_PER_MINUTE, MINUTE_SECONDS),
    intentReads: limiterOf('intentReads', config.INTENT_READS_PER_MINUTE, MINUTE_SECONDS),
    freeRelays: limiterOf('freeRelays', config.FREE_RELAYS_PER_DAY, DAY_SECONDS),
  }
  return async (c, next) => {
    const client = clientIp(c)
    c.set('budgets', {
      spend: (name) => spend(c, limiters[name], client),
      giveBack: async (name) => {
        await limiters[name].reward(client, 1)
      },
    })
    await next()
  }
}

function limiterOf(name: BudgetName, points: number, duration: number): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points, duration })
}

async function spend(c: Context, limiter: RateLimiterMemory, client: string): Promise<void> {
  try {
    for (const [name, value] of Object.entries(headersOf(limiter, await limiter.consume(client)))) c.header(name, value)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const retryAfter = String(secondsUntilReset(refusal))
    throw new ServiceError(429, 'unclassified', `Too many requests; try again in ${retryAfter} seconds.`, {
      headers: { 'Retry-After': retryAfter, ...headersOf(limiter, refusal) },
    })
  }
}

/** The fields of the IETF draft "RateLimit header fields for HTTP": quota and window, then remainder and reset. */
function headersOf(limiter: RateLimiterMemory, state: RateLimiterRes): Record<string, string> {
  const name = limiter.keyPrefix
  return {
    'RateLimit-Policy': `"${name}";q=${limiter.points};w=${limiter.duration}`,
    RateLimit: `"${name}";r=${Math.max(0, state.remainingPoints)};t=${secondsUntilReset(state)}`,
  }
}

function secondsUntilReset(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000))
}
