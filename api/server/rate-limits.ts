import type { Context, MiddlewareHandler } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { Config } from '../config.ts'
import { isDatabaseUnavailable } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { ClientRateLimits, RateLimitName, RateLimitState } from '../http/client-rate-limits.ts'
import { type ClientIpReader, wideNetworkOf } from '../identity/client-ip.ts'
import type { PageReads } from './page-reads.ts'
import type { RateLimit, RateLimitCounter } from './rate-limit.ts'
import { createSharedCounter } from './shared-rate-limit.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** The factor by which the quota of an IPv6 /48 network is larger than the quota of one client. */
const WIDE_FACTOR = 8
/**
 * The longest time in milliseconds that a request waits while the database updates a rate limit. Applies only where the
 * request may proceed without the update.
 */
const TIMEOUT_MS = 2_000

/**
 * Returns the rate limits of a client. `isCounted`: tells if a limit has already counted the request; the limit then
 * does not count it again. Example: `await rateLimits('203.0.113.7').consume('reads')`
 */
export type RateLimits = (client: string, isCounted?: (name: RateLimitName) => boolean) => ClientRateLimits

/** Creates all rate limits: limits of this process, and limits that all processes share through the database. */
export function createRateLimits(deps: Deps): RateLimits {
  const limits = limitsOf(deps)
  const byName = new Map(limits.map((limit) => [limit.name, limit]))
  const counters = countersOf(deps, limits)
  const wideCounters = countersOf(
    deps,
    limits.map((limit) => ({ ...limit, quota: limit.quota * WIDE_FACTOR })),
  )

  return (client, isCounted = () => false) => {
    const wideNetwork = wideNetworkOf(client)
    const states = new Map<RateLimitName, RateLimitState>()
    return {
      consume: async (name, subject = client, units = 1) => {
        if (isCounted(name)) return
        const state = await consume(name, { subject, units }, counters)
        if (state === null) return
        states.set(name, state)
        if (!state.granted) throw tooMany(state)
        if (wideNetwork === null || subject !== client) return
        const wideState = await consume(name, { subject: wideNetwork, units }, wideCounters)
        if (wideState?.granted === false) throw tooMany(wideState)
      },
      count: async (name) => {
        const pendingStates = [
          counters[name].consume(client),
          ...(wideNetwork === null ? [] : [wideCounters[name].consume(wideNetwork)]),
        ]
        const countedStates = await withTimeout(Promise.all(pendingStates), TIMEOUT_MS).catch((error: unknown) =>
          logFailure(error, name),
        )
        const [state] = countedStates ?? []
        if (state !== undefined) states.set(name, state)
      },
      require: async (name) => {
        const clientState = await counters[name].peek(client)
        if (!clientState.granted) {
          states.set(name, clientState)
          throw tooMany(clientState)
        }
        const wideState = wideNetwork === null ? clientState : await wideCounters[name].peek(wideNetwork)
        if (!wideState.granted) throw tooMany(wideState)
      },
      refund: async (name, subject = client, units = 1) => {
        const refunds = [
          counters[name].refund(subject, units),
          ...(wideNetwork === null || subject !== client ? [] : [wideCounters[name].refund(wideNetwork, units)]),
        ]
        await withTimeout(Promise.all(refunds), TIMEOUT_MS).catch((error: unknown) => logFailure(error, name))
        const state = states.get(name)
        if (state !== undefined) states.set(name, { ...state, left: state.left + units })
      },
      headers: () => rateLimitHeaders(byName, states),
    }
  }

  async function consume(
    name: RateLimitName,
    { subject, units }: { subject: string; units: number },
    of: typeof counters,
  ): Promise<RateLimitState | null> {
    const mayGoOn = byName.get(name)?.allowsUnknown === true
    const spending = of[name].consume(subject, units)
    if (!mayGoOn) return await spending
    try {
      return await withTimeout(spending, TIMEOUT_MS)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      logFailure(error, name)
      return null
    }
  }

  function logFailure(error: unknown, rateLimit: RateLimitName): void {
    deps.log.warn({ err: error, rateLimit }, 'rate limit count failed')
  }
}

interface RateLimitReaders {
  clientIp: ClientIpReader
  pageReads: PageReads
  /**
   * Returns the rate limits that have already counted this request, if the request was counted before the app received
   * the request. Otherwise returns undefined.
   */
  countedLimits(c: Context): ClientRateLimits | undefined
}

/**
 * Creates the middleware that puts the rate limits of the request's client into the request's context as `rateLimits`.
 */
export function giveRateLimits(
  rateLimits: RateLimits,
  { clientIp, pageReads, countedLimits }: RateLimitReaders,
): MiddlewareHandler {
  return async (c, next) => {
    const limits = countedLimits(c) ?? rateLimits(clientIp(c), (name) => pageReads.isCounted(c, name))
    c.set('rateLimits', limits)
    await next()
  }
}

/**
 * Returns all rate limits. Plain reads are counted in each process separately, because they are frequent and cost
 * little. All other limits are counted in the database.
 */
function limitsOf({ config }: Pick<Deps, 'config'>): readonly RateLimit[] {
  return [
    { name: 'reads', quota: config.READS_PER_MINUTE, windowSeconds: MINUTE_SECONDS, isOfProcess: true },
    { name: 'sql', quota: config.SQL_PER_MINUTE, windowSeconds: MINUTE_SECONDS, isOfProcess: true },
    { name: 'writes', quota: config.WRITES_PER_MINUTE, windowSeconds: MINUTE_SECONDS, allowsUnknown: true },
    { name: 'intentReads', quota: config.INTENT_READS_PER_MINUTE, windowSeconds: MINUTE_SECONDS, allowsUnknown: true },
    { name: 'freeRelays', quota: config.FREE_RELAYS_PER_DAY, windowSeconds: DAY_SECONDS },
    ...gasBudgetsOf(config),
    { name: 'revertedWrites', quota: config.REVERTED_WRITES_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'devices', quota: config.DEVICES_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'mints', quota: config.MINTS_PER_CLIENT_PER_DAY, windowSeconds: DAY_SECONDS },
    { name: 'allMints', quota: config.MINTS_PER_DAY, windowSeconds: DAY_SECONDS },
    { name: 'reservedMints', quota: config.RESERVED_MINTS_PER_DAY, windowSeconds: DAY_SECONDS },
    { name: 'consents', quota: config.CONSENTS_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'accessTries', quota: config.ACCESS_TRIES_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'withdrawalAddresses', quota: config.WITHDRAWAL_ADDRESSES_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'recoveryTries', quota: config.RECOVERY_TRIES_PER_DAY, windowSeconds: DAY_SECONDS },
    { name: 'ownRecoveryTries', quota: config.RECOVERY_TRIES_PER_DAY, windowSeconds: DAY_SECONDS },
    { name: 'allRecoveryTries', quota: config.ALL_RECOVERY_TRIES_PER_DAY, windowSeconds: DAY_SECONDS },
    { name: 'webhookTests', quota: config.WEBHOOK_TESTS_PER_HOUR, windowSeconds: HOUR_SECONDS },
    { name: 'taskAccessTries', quota: config.TASK_ACCESS_TRIES_PER_HOUR, windowSeconds: HOUR_SECONDS },
  ]
}

/**
 * Returns the daily limits of the gas that free writes may use: one limit of all clients together, and one of each
 * client.
 */
function gasBudgetsOf(config: Config): RateLimit[] {
  const budgets = [
    ['exitGas', 'clientExitGas', config.FREE_EXIT_GAS_PER_DAY],
    ['entryGas', 'clientEntryGas', config.FREE_ENTRY_GAS_PER_DAY],
    ['newcomerGas', 'clientNewcomerGas', config.FREE_NEWCOMER_GAS_PER_DAY],
  ] as const
  const commonOptions = { windowSeconds: DAY_SECONDS, isUnstated: true } as const
  return budgets.flatMap(([all, ofClient, quota]) => [
    { name: all, quota, ...commonOptions },
    { name: ofClient, quota: Math.floor((quota * config.FREE_GAS_CLIENT_PERCENT) / 100), ...commonOptions },
  ])
}

function countersOf(deps: Deps, limits: readonly RateLimit[]): Record<RateLimitName, RateLimitCounter> {
  return Object.fromEntries(
    limits.map((limit) => [
      limit.name,
      limit.isOfProcess === true ? inMemory(limit) : createSharedCounter(deps, limit),
    ]),
  ) as Record<RateLimitName, RateLimitCounter>
}

function inMemory({ name, quota, windowSeconds }: RateLimit): RateLimitCounter {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points: quota, duration: windowSeconds })
  const toState = (isGranted: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): RateLimitState => ({
    granted: isGranted,
    left: Math.max(0, remainingPoints),
    seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  })
  return {
    consume: async (client, units = 1) => {
      try {
        return toState(true, await limiter.consume(client, units))
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        return toState(false, refusal)
      }
    },
    peek: async (client) => {
      const state = await limiter.get(client)
      if (state === null) return { granted: true, left: quota, seconds: windowSeconds }
      return toState(state.remainingPoints > 0, state)
    },
    refund: async (client, units = 1) => {
      await limiter.reward(client, units)
    },
  }
}

function tooMany({ seconds }: RateLimitState): ServiceError {
  return new ServiceError(429, 'unclassified', `Too many requests; try again in ${seconds} seconds.`, {
    detail: 'rate_limited',
    headers: { 'Retry-After': String(seconds) },
  })
}

/**
 * Creates the middleware that sets the rate limit headers of an answer. The headers describe the limits that counted
 * the request.
 */
export function setRateLimitHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(c.get('rateLimits').headers())) c.res.headers.set(name, value)
  }
}

/**
 * Returns the headers of the IETF draft "RateLimit header fields for HTTP". `RateLimit-Policy`: quota and window of
 * each limit. `RateLimit`: remaining units and seconds until reset.
 */
function rateLimitHeaders(
  limits: ReadonlyMap<RateLimitName, RateLimit>,
  states: ReadonlyMap<RateLimitName, RateLimitState>,
): Record<string, string> {
  const [policies, remainders]: [string[], string[]] = [[], []]
  for (const [name, { left, seconds }] of states) {
    const limit = limits.get(name)
    if (limit === undefined || limit.isUnstated === true) continue
    policies.push(`"${name}";q=${limit.quota};w=${limit.windowSeconds}`)
    remainders.push(`"${name}";r=${left};t=${seconds}`)
  }
  return policies.length === 0 ? {} : { 'RateLimit-Policy': policies.join(', '), RateLimit: remainders.join(', ') }
}
