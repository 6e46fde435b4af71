import { readIdentityText } from '../../../protocol/signed/account-texts.ts'
import { toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import type { Account } from '../account/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'

/** The lifetime in seconds of a signed read identity: request headers that prove which wallet reads. */
const LIFETIME_SECONDS = 3_600
/**
 * The remaining lifetime in seconds at which the client replaces a signed read identity (headers that prove which
 * wallet reads).
 */
const MARGIN_SECONDS = 120

/** A signed read identity: request headers that prove which wallet reads. A cache stores this object. */
export interface SignedIdentity {
  /** The time in Unix seconds at which the signature expires. */
  expires: number
  headers: Record<string, string>
}

/**
 * Stores a wallet's signed read identity (headers that prove which wallet reads) outside a client. Several clients can
 * then use the same identity. Example: the pages of one browser tab share one cache.
 */
export interface IdentityCache {
  read(): SignedIdentity | null
  keep(identity: SignedIdentity): void
}

/** A function that returns the request headers of the read identity; an empty object if the client has no account. */
export type ReadIdentity = () => Promise<Record<string, string>>

/**
 * Returns a function that provides a signed read identity for one host. The account signs a new identity once an hour.
 * @param now returns the time of the chain, in Unix seconds
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
  const cachedIdentity = cache?.read() ?? null
  let currentIdentity = cachedIdentity && {
    expires: cachedIdentity.expires,
    headers: Promise.resolve(cachedIdentity.headers),
  }
  return async () => {
    const time = await now()
    if (
      currentIdentity === null ||
      currentIdentity.expires - MARGIN_SECONDS < time ||
      currentIdentity.expires - LIFETIME_SECONDS > time
    ) {
      const expires = time + LIFETIME_SECONDS
      currentIdentity = { expires, headers: sign(account, { host, chainId: deployment.chainId, expires }) }
      currentIdentity.headers.then(
        (headers) => cache?.keep({ expires, headers }),
        () => {},
      )
      // The next call requests a failed signature again.
      currentIdentity.headers.catch(() => {
        currentIdentity = null
      })
    }
    return await currentIdentity.headers
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
