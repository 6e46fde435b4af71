import type { IdentityCache, SignedIdentity } from '../../../client/src/index.ts'
import { identityName } from '../session.ts'

/** Keeps the read identity of a wallet in this tab: it is signed once an hour and not once a page. It allows nothing but reading. */
export function identityOfTab(address: string): IdentityCache {
  const name = identityName(address)
  return {
    read: () => JSON.parse(sessionStorage.getItem(name) ?? 'null') as SignedIdentity | null,
    keep: (identity) => sessionStorage.setItem(name, JSON.stringify(identity)),
  }
}

/** The headers of a wallet's read identity where one is kept that has not expired; null: the wallet would have to sign. */
export function heldIdentity(address: string): Record<string, string> | null {
  const kept = identityOfTab(address).read()
  return kept !== null && kept.expires * 1000 > Date.now() ? kept.headers : null
}
