import { BlockList, isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    /** The client's name, once read. */
    client: string | undefined
  }
}

/** Returns the name of a request's client, for per-IP rate limits. */
export type ClientIpReader = (c: Context) => string

/** Returns the client's name by the address of its socket and its `X-Forwarded-For`. */
export type ClientNamer = (socketAddress: string, forwardedFor: string | undefined) => string

/**
 * Creates the reader of client addresses. The client is the socket's address, unless that is a configured proxy; then
 * it is the last address of `X-Forwarded-For` that no configured proxy wrote. Any client can write that header, so only
 * configured proxies count. IPv6 clients are named by their /64, the usual network of one customer.
 * @param trustedProxies addresses or CIDR ranges
 */
export function createClientNamer(trustedProxies: readonly string[]): ClientNamer {
  const trusted = toBlockList(trustedProxies)
  return (socketAddress, forwardedFor = '') => {
    let client = withoutMapping(socketAddress)
    const hops = forwardedFor.split(',').map((hop) => withoutMapping(hop.trim()))
    while (isTrusted(trusted, client)) {
      const before = hops.pop()
      if (before === undefined || isIP(before) === 0) break
      client = before
    }
    return isIP(client) === 6 ? networkOf(client) : client
  }
}

/** Creates a reader that names a request's client once. */
export function createClientIpReader(nameClient: ClientNamer): ClientIpReader {
  return (c) => {
    const client = c.get('client') ?? nameClient(socketAddress(c), c.req.header('x-forwarded-for'))
    c.set('client', client)
    return client
  }
}

/** Returns the socket's address. In-process calls have none and share one name. */
function socketAddress(c: Context): string {
  return c.env !== undefined && 'incoming' in c.env ? (getConnInfo(c).remote.address ?? 'unknown') : 'local'
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return list
}

function isTrusted(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** Removes the prefix of a dual-stack socket. Example: `withoutMapping('::ffff:1.2.3.4')` returns `'1.2.3.4'`. */
export function withoutMapping(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address
}

/**
 * Returns the /48 around an IPv6 client's name, the usual network of a site with 65,536 clients; null for other
 * clients. Example: `wideNetworkOf('2001:db8:1:2::/64')` returns `'2001:db8:1::/48'`.
 */
export function wideNetworkOf(client: string): string | null {
  if (!client.endsWith('::/64')) return null
  return `${client.slice(0, -'::/64'.length).split(':').slice(0, 3).join(':')}::/48`
}

/** Returns the first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}
