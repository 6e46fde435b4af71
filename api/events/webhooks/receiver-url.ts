import { isIP } from 'node:net'
import { isGloballyReachable, isLoopback } from './special-addresses.ts'

/** The largest number of characters in a receiver's URL. */
export const URL_AT_MOST = 2_048

/**
 * Returns the reason why a receiver's URL is not permitted, or null if it is permitted. The IP addresses of the host
 * are checked later, at each delivery. Example: `findUrlFault('https://a.example/hook', false)` returns null.
 * @param isLocal true if the chain runs on this machine; `http` and any port are then permitted
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

/**
 * Returns true if an IP address is permitted for a receiver. Globally reachable addresses are permitted. Loopback
 * addresses are permitted if `isLocal` is true.
 */
export function isReceiver(address: string, isLocal: boolean): boolean {
  return isGloballyReachable(address) || (isLocal && isLoopback(address))
}

/** Returns the host of a URL. An IPv6 address is returned without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}
