import { isIP } from 'node:net'
import { isGloballyReachable, isLoopback } from './special-addresses.ts'

/** Longest URL of a receiver, characters. */
export const URL_AT_MOST = 2_048

/**
 * Says why a URL is none of a receiver; null: it may be one. Its addresses are looked at when it is posted to.
 * @param isLocal the chain is of this machine: receivers of it too may be tried, by `http`, on any port
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

/** Says whether a receiver may have an address. */
export function isReceiver(address: string, isLocal: boolean): boolean {
  return isGloballyReachable(address) || (isLocal && isLoopback(address))
}

/** The name of a URL; of an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}
