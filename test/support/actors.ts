import type { Address, Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { localNetwork } from '../../scripts/contracts/network.ts'

/** An account with a key, named for its role in a test. */
export interface Actor {
  account: PrivateKeyAccount
  key: Hex
  /** Lower case. */
  address: Address
}

/** A new wallet. */
export function anActor(): Actor {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  return { account, key, address: account.address.toLowerCase() as Address }
}

/** The read-identity headers of an actor. */
export async function readHeadersOf(actor: Actor): Promise<Record<string, string>> {
  return {
    'X-Service-Caller-Address': actor.account.address,
    'X-Service-Caller-Signature': await actor.account.signMessage({ message: `service:read:${actor.address}` }),
  }
}

/** Where an expiring read identity is valid, and the time at which it is signed. */
export interface ReadScope {
  /** Of the service, with its port. */
  baseUrl: string
  /** Unix seconds. */
  now: bigint
}

/** The read-identity headers of an actor in the expiring form: here for twelve hours. */
export async function expiringReadHeadersOf(
  actor: Pick<Actor, 'account' | 'address'>,
  { baseUrl, now }: ReadScope,
): Promise<Record<string, string>> {
  const expires = now + 43_200n
  const message = `service:read:${localNetwork.chainId}:${new URL(baseUrl).host}:${actor.address}:${expires}`
  return {
    'X-Service-Caller-Address': actor.account.address,
    'X-Service-Caller-Signature': await actor.account.signMessage({ message }),
    'X-Service-Read-Expires': String(expires),
  }
}
