import { readIdentityText } from '../../../protocol/signed/account-texts.ts'
import { toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import type { Account } from '../account/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'

/** Lifetime of one signature, seconds. */
const LIFETIME_SECONDS = 3_600
/** Time before its end at which a signature is replaced, seconds. */
const MARGIN_SECONDS = 120

/** A signed read identity, in the form that a cache stores. */
export interface SignedIdentity {
  /** End of the signature, Unix seconds. */
  expires: number
  headers: Record<string, string>
}

/** Stores a wallet's signed read identity beyond one client, such as between the pages of a browser tab. */
export interface IdentityCache {
  read(): SignedIdentity | null
  keep(identity: SignedIdentity): void
}

/** Returns the headers that identify the reader; empty without an account. */
export type ReadIdentity = () => Promise<Record<string, string>>

/**
 * Returns a function that signs a read identity for one host, once an hour.
 * @param now time of the chain, Unix seconds
 */
export function createReadIdentity(
  account: Account | null,
  {
    host,
    deployment,
    now,
    cache = null,
  }: { host: string; deployment: Deployment; now: () => Promise<number>; cache?: IdentityCache | null },
): ReadIdentity {
  if (account === null) return async () => ({})
  const kept = cache?.read() ?? null
  let current = kept && { expires: kept.expires, headers: Promise.resolve(kept.headers) }
  return async () => {
    const time = await now()
    if (current === null || current.expires - MARGIN_SECONDS < time || current.expires - LIFETIME_SECONDS > time) {
      const expires = time + LIFETIME_SECONDS
      current = { expires, headers: sign(account, { host, chainId: deployment.chainId, expires }) }
      current.headers.then(
        (headers) => cache?.keep({ expires, headers }),
        () => {},
      )
      // The next call requests a failed signature again.
      current.headers.catch(() => {
        current = null
      })
    }
    return await current.headers
  }
}

async function sign(
  { address, signMessage }: Account,
  { host, chainId, expires }: { host: string; chainId: number; expires: number },
): Promise<Record<string, string>> {
  const message = toSignedMessage(SERVICE_NAME, readIdentityText({ chainId, host }, { wallet: address, expires }))
  return {
    'X-Service-Caller-Address': address,
    'X-Service-Caller-Signature': await signMessage({ message }),
    'X-Service-Read-Expires': String(expires),
  }
}
