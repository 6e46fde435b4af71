import type { IdentityCache, SignedIdentity } from '../../../client/src/index.ts'
import { identityName } from '../session.ts'

/** Time before the end of a signed identity from which it counts as ended, seconds, so that an update requires no signature. */
const MARGIN_SECONDS = 180

/**
 * Stores the read identity of a wallet in this tab, so that it is signed once an hour instead of once a page. It authorizes
 * nothing but reading. A new identity emits the event `reader-changed` of the document.
 */
export function identityOfTab(address: string): IdentityCache {
  const name = identityName(address)
  return {
    read: () => JSON.parse(sessionStorage.getItem(name) ?? 'null') as SignedIdentity | null,
    keep: (identity) => {
      sessionStorage.setItem(name, JSON.stringify(identity))
      document.dispatchEvent(new Event('reader-changed'))
    },
  }
}

/**
 * Returns the milliseconds for which the wallet's read identity is valid, at most an hour; zero or less: a signature is required.
 */
export function identityMs(address: string): number {
  const end = (identityOfTab(address).read()?.expires ?? 0) - MARGIN_SECONDS
  return Math.min(end * 1000 - Date.now(), 3_600_000)
}

/** Returns the headers of a valid read identity; null: a signature is required. */
export function heldIdentity(address: string): Record<string, string> | null {
  return identityMs(address) > 0 ? (identityOfTab(address).read()?.headers ?? null) : null
}

/** Deletes a read identity that the service refused. */
export function dropIdentity(address: string): void {
  sessionStorage.removeItem(identityName(address))
}
