import { isIP } from 'node:net'
import { isGloballyReachable, isLoopback } from './special-addresses.ts'

/** The longest URL of a receiver, characters. */
export const URL_AT_MOST = 2_048

/**
 * Returns the fault of a receiver's URL, or null. Its addresses are checked at each post. Example:
 * `findUrlFault('https://a.example/hook', false)` returns null.
 * @param isLocal the chain is of this machine: receivers of it are permitted too, by `http`, on any port
 */
export function findUrlFault(text: string, isLocal: boolean): string | null {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password'
  if (url.hash !== '') return 'must have no fragment'
  if (isLocal && (url.protocol === 'http:' || url.protocol === 'https:')) return null
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (url.port !== '') return 'must have no port but 443'
  return isIP(hostOf(url)) === 0 ? null : 'must have a name, not an address'
}

/** Returns true if a receiver may have an address. */
export function isReceiver(address: string, isLocal: boolean): boolean {
  return isGloballyReachable(address) || (isLocal && isLoopback(address))
}

/** Returns the host of a URL; an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}
