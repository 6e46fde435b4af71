import type { Account } from './account/account.ts'
import type { Chain } from './chain/rpc.ts'
import type { Deployment } from './deployment/deployment.ts'
import { isLoopback } from './deployment/loopback.ts'
import type { ReadIdentity } from './identity/read-identity.ts'
import type { Limits } from './store/limits.ts'
import type { Store } from './store/store.ts'

/** Milliseconds. */
export interface Timing {
  /** For one request; the service answers a write within 62 s. A read takes 30 s at most. */
  requestMs: number
  /** For a whole write, beyond the request at its end. */
  waitMs: number
  /** The first pause between two looks; each next one is half as long again, up to `maxPauseMs`. */
  pauseMs: number
  maxPauseMs: number
}

/** The most that a read takes, milliseconds, from the request to the last byte of its answer. */
const READ_MS = 30_000

/** How long a request may take that changes nothing, milliseconds. */
export function readLimit({ requestMs }: Pick<Timing, 'requestMs'>): number {
  return Math.min(requestMs, READ_MS)
}

/** What every function of a client works with. */
export interface ClientContext {
  /** The service's root, without a slash at its end. */
  url: string
  account: Account | null
  deployment: Deployment
  store: Store | null
  chain: Chain | null
  fetch: typeof globalThis.fetch
  identity: ReadIdentity
  /** Time of the chain, or of this machine without a node, Unix seconds. */
  now(): Promise<number>
  limits: Partial<Limits>
  legalReceipt: string | null
  timing: Timing
}

export const defaultTiming: Timing = { requestMs: 75_000, waitMs: 90_000, pauseMs: 500, maxPauseMs: 4_000 }

/**
 * The service's root as it is requested: https, but on this machine itself.
 * @throws Error for another one
 */
export function checkUrl(url: string): string {
  const { protocol, hostname, origin, username, pathname } = new URL(url)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    throw new Error('The service must be reached by https; http is for this machine only.')
  }
  if (username !== '') throw new Error('The URL of the service has no user in it.')
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
