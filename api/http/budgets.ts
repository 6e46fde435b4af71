import type { Context, MiddlewareHandler } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { within } from '../concurrency/with-timeout.ts'
import type { BudgetState } from '../db/budgets.queries.ts'
import { isDatabaseUnavailable } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { ServiceError } from '../errors/service-error.ts'
import { type ClientIpReader, wideNetworkOf } from '../identity/client-ip.ts'
import { createSharedBudget } from './shared-budget.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** Quotas of an IPv6 /48, as a multiple of those of a client in it. */
const WIDE_FACTOR = 8
/** How long a request waits for a budget it can do without, milliseconds: it has an answer of its own to give in time. */
const PATIENCE_MS = 2_000

/** What a client IP may use up (Interface, "Limits"; docs/limits.md); `taskAccessTries`: all clients of a task. */
export type BudgetName =
  | 'reads'
  | 'writes'
  | 'intentReads'
  | 'freeRelays'
  | 'devices'
  | 'consents'
  | 'accessTries'
  | 'taskAccessTries'
  | 'sql'

/** So many units in so many seconds. */
export interface BudgetLimit {
  name: BudgetName
  quota: number
  windowSeconds: number
  /** What follows asks the database too: without one, it refuses by itself and says it better. */
  allowsUnknown?: true
  /** Counted by each process for itself: no money and no secret depends on it. */
  isOfProcess?: true
}

/** Counts the units of every client. */
export interface Budget {
  spend(client: string): Promise<BudgetState>
  giveBack(client: string): Promise<void>
}

/** The budgets of one request's client. */
interface ClientBudgets {
  /**
   * Uses up one unit; the answer's headers say what is left. `subject`: whose unit it is, unless the client's.
   * @throws ServiceError 429 when nothing is left
   */
  spend: (name: BudgetName, subject?: string) => Promise<void>
  /** Gives one unit back: the request turned out to be one that costs nothing. */
  giveBack: (name: BudgetName) => Promise<void>
}

declare module 'hono' {
  interface ContextVariableMap {
    budgets: ClientBudgets
  }
}

/** Gives every request the budgets of its client, and every answer under one the headers that tell of it. */
export function keepBudgets(deps: Deps, clientIp: ClientIpReader): MiddlewareHandler {
  const limits = limitsOf(deps)
  const budgets = budgetsOf(deps, limits)
  const wideBudgets = budgetsOf(
    deps,
    limits.map((limit) => ({ ...limit, quota: limit.quota * WIDE_FACTOR })),
  )

  return async (c, next) => {
    const client = clientIp(c)
    const wideNetwork = wideNetworkOf(client)
    const states = new Map<BudgetName, BudgetState>()
    c.set('budgets', {
      spend: async (name, subject = client) => {
        const state = await spend(name, subject, budgets)
        if (state === null) return
        states.set(name, state)
        if (!state.granted) throw tooMany(state)
        if (wideNetwork === null || subject !== client) return
        const wideState = await spend(name, wideNetwork, wideBudgets)
        if (wideState?.granted === false) throw tooMany(wideState)
      },
      giveBack: async (name) => {
        const givingBack = [
          budgets[name].giveBack(client),
          ...(wideNetwork === null ? [] : [wideBudgets[name].giveBack(wideNetwork)]),
        ]
        await within(Promise.all(givingBack), PATIENCE_MS).catch((error: unknown) => note(error, name))
        const state = states.get(name)
        if (state !== undefined) states.set(name, { ...state, left: state.left + 1 })
      },
    })
    await next()
    tellOf(c, limits, states)

    async function spend(name: BudgetName, subject: string, of: typeof budgets): Promise<BudgetState | null> {
      const mayGoOn = limits.find((limit) => limit.name === name)?.allowsUnknown === true
      const spending = of[name].spend(subject)
      if (!mayGoOn) return await spending
      try {
        return await within(spending, PATIENCE_MS)
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
        note(error, name)
        return null
      }
    }
  }

  function note(error: unknown, budget: BudgetName): void {
    deps.log.warn({ err: error, budget }, 'could not keep a budget')
  }
}

/**
 * Plain reads are counted by each process: they are many, and no money or secret depends on them. The others are
 * counted for all processes at once.
 */
function limitsOf({ config }: Deps): readonly BudgetLimit[] {
  return [
    { name: 'reads', quota: config.READS_PER_MINUTE, windowSeconds: MINUTE_SECONDS, isOfProcess: true },
    { name: 'sql', quota: config.SQL_PER_MINUTE, windowSeconds: MINUTE_SECONDS, isOfProcess: true },
    { name: 'writes', quota: config.WRITES_PER_MINUTE, windowSeconds: MINUTE_SECONDS, allowsUnknown: true },
    { name: 'intentReads', quota: config.INTENT_READS_PER_MINUTE, windowSeconds: MINUTE_SECONDS, allowsUnknown: true },
    { name: 'freeRelays', quota: config.FREE_RELAYS_PER_DAY, windowSeconds: DAY_SECONDS },
    { name: 'devices', quota: config.DEVICES_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'consents', quota: config.CONSENTS_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'accessTries', quota: config.ACCESS_TRIES_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'taskAccessTries', quota: config.TASK_ACCESS_TRIES_PER_HOUR, windowSeconds: HOUR_SECONDS },
  ]
}

function budgetsOf(deps: Deps, limits: readonly BudgetLimit[]): Record<BudgetName, Budget> {
  return Object.fromEntries(
    limits.map((limit) => [limit.name, limit.isOfProcess === true ? inMemory(limit) : createSharedBudget(deps, limit)]),
  ) as Record<BudgetName, Budget>
}

function inMemory({ name, quota, windowSeconds }: BudgetLimit): Budget {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points: quota, duration: windowSeconds })
  const toState = (granted: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): BudgetState => ({
    ...{ granted, left: Math.max(0, remainingPoints), seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) },
  })
  return {
    spend: async (client) => {
      try {
        return toState(true, await limiter.consume(client))
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        return toState(false, refusal)
      }
    },
    giveBack: async (client) => {
      await limiter.reward(client, 1)
    },
  }
}

function tooMany({ seconds }: BudgetState): ServiceError {
  return new ServiceError(429, 'unclassified', `Too many requests; try again in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

/** The fields of the IETF draft "RateLimit header fields for HTTP": quota and window, then remainder and reset. */
function tellOf(c: Context, limits: readonly BudgetLimit[], states: ReadonlyMap<BudgetName, BudgetState>): void {
  const spent = limits.flatMap((limit) => {
    const state = states.get(limit.name)
    return state === undefined ? [] : [{ ...limit, ...state }]
  })
  if (spent.length === 0) return
  const { headers } = c.res
  headers.set(
    'RateLimit-Policy',
    spent.map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`).join(', '),
  )
  headers.set('RateLimit', spent.map(({ name, left, seconds }) => `"${name}";r=${left};t=${seconds}`).join(', '))
}
