import type { IdentityCache, SignedIdentity } from '../../../client/src/index.ts'
import { identityName } from '../session.ts'

/** A signed identity is taken for over so long before its end, seconds: an update asks for no signature. */
const MARGIN_SECONDS = 180

/**
 * Keeps the read identity of a wallet in this tab: it is signed once an hour and not once a page. It allows nothing but reading.
 * A new one is an event `reader-changed` of the document.
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

/** Milliseconds for which a wallet reads by what it has signed, at most an hour; zero or less: it would have to sign. */
export function identityMs(address: string): number {
  const end = (identityOfTab(address).read()?.expires ?? 0) - MARGIN_SECONDS
  return Math.min(end * 1000 - Date.now(), 3_600_000)
}

/** The headers of a wallet's read identity where one is kept that has not ended; null: the wallet would have to sign. */
export function heldIdentity(address: string): Record<string, string> | null {
  return identityMs(address) > 0 ? (identityOfTab(address).read()?.headers ?? null) : null
}

/** Forgets the read identity of a wallet, which the service does not take any more. */
export function dropIdentity(address: string): void {
  sessionStorage.removeItem(identityName(address))
}
