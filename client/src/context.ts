import type { Account } from './account/account.ts'
import type { Chain } from './chain/rpc.ts'
import type { Deployment } from './deployment/deployment.ts'
import { isLoopback } from './deployment/loopback.ts'
import type { ReadIdentity } from './identity/read-identity.ts'
import type { Limits } from './store/limits.ts'
import type { Store } from './store/store.ts'

/** The client's timeouts and pauses, in milliseconds. */
export interface Timing {
  /**
   * Timeout of one request, in milliseconds; a read takes at most 30 s even if this value is larger. The service
   * answers a write within 62 s.
   */
  requestMs: number
  /** Timeout of a whole write, in milliseconds. The last request of the write may end after this timeout. */
  waitMs: number
  /**
   * The pause in milliseconds between the first and the second poll of a write's outcome. Each later pause is 1.5 times
   * as long as the pause before it, up to `maxPauseMs`.
   */
  pauseMs: number
  maxPauseMs: number
}

/** The maximum timeout in milliseconds of a read, from sending the request to the last byte of the answer. */
const READ_MS = 30_000

/** Returns the timeout of a read, in milliseconds. */
export function readLimit({ requestMs }: Pick<Timing, 'requestMs'>): number {
  return Math.min(requestMs, READ_MS)
}

/** The dependencies that the functions of a client share. */
export interface ClientContext {
  /** The service's root URL, without a trailing slash. */
  url: string
  account: Account | null
  deployment: Deployment
  store: Store | null
  chain: Chain | null
  fetch: typeof globalThis.fetch
  identity: ReadIdentity
  /**
   * Returns the time of the latest block, in Unix seconds. If the client has no node, returns the service's time. A
   * payment that expired before this time can no longer be used.
   */
  now(): Promise<number>
  /**
   * Returns the time at which the lifetime of a new signature starts, in Unix seconds. The time differs from `now` only
   * on a local chain; see `Chain.signingTime`.
   */
  signingTime(): Promise<number>
  limits: Partial<Limits>
  legalReceipt: string | null
  timing: Timing
}

export const defaultTiming: Timing = { requestMs: 75_000, waitMs: 90_000, pauseMs: 500, maxPauseMs: 4_000 }

/**
 * Checks the service's root URL and returns it without a trailing slash. The URL must use https, except for a service
 * on this machine.
 * @throws Error for any other URL
 */
export function checkUrl(url: string): string {
  const { protocol, hostname, origin, username, pathname } = new URL(url)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    throw new Error('The service must be reached by https; http is for this machine only.')
  }
  if (username !== '') throw new Error('The URL of the service has no user in it.')
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
