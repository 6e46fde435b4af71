import type { IdentityCache, SignedIdentity } from '../../../client/src/index.ts'
import { identityName } from '../session.ts'

/**
 * A read identity counts as expired this number of seconds before its real end. An update that starts with a valid read
 * identity can therefore end without a new signature.
 */
const MARGIN_SECONDS = 180

/**
 * Returns the storage in which this tab keeps a wallet's read identity: signed headers that authorize only reading.
 * Because of the storage, the wallet signs once an hour, and not on each page. Storing a new read identity fires the
 * document event `reader-changed`.
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
 * Returns the number of milliseconds for which the wallet's read identity remains valid, at most one hour. Zero or
 * less: the wallet must sign again.
 */
export function identityMs(address: string): number {
  const end = (identityOfTab(address).read()?.expires ?? 0) - MARGIN_SECONDS
  return Math.min(end * 1000 - Date.now(), 3_600_000)
}

/** Returns the signed headers that prove which wallet reads (the read identity); null if the wallet must sign again. */
export function heldIdentity(address: string): Record<string, string> | null {
  return identityMs(address) > 0 ? (identityOfTab(address).read()?.headers ?? null) : null
}

/** Deletes the signed headers that prove which wallet reads, for example after the service refused the headers. */
export function dropIdentity(address: string): void {
  sessionStorage.removeItem(identityName(address))
}
