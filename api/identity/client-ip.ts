import { BlockList, isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    /** The name of the client, once it was read. */
    client: string | undefined
  }
}

/** Names the client of a request for per-IP rate limits. */
export type ClientIpReader = (c: Context) => string

/**
 * Reads the client's address: the socket's, unless that is a configured proxy; then the last address of
 * `X-Forwarded-For` that no configured proxy wrote. Any client can write that header, so it counts from configured
 * proxies alone. IPv6 clients are named by their /64, which is what one customer gets.
 * @param trustedProxies addresses or CIDR ranges
 */
export function createClientIpReader(trustedProxies: readonly string[]): ClientIpReader {
  const trusted = toBlockList(trustedProxies)
  const read = (c: Context): string => {
    let client = withoutMapping(socketAddress(c))
    const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => withoutMapping(hop.trim()))
    while (isTrusted(trusted, client)) {
      const before = hops.pop()
      if (before === undefined || isIP(before) === 0) break
      client = before
    }
    return isIP(client) === 6 ? networkOf(client) : client
  }
  return (c) => {
    const client = c.get('client') ?? read(c)
    c.set('client', client)
    return client
  }
}

/** Requests that come through no socket (in-process calls) share one name. */
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

/** `::ffff:1.2.3.4` is how a dual-stack socket writes 1.2.3.4. */
export function withoutMapping(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address
}

/**
 * The /48 around an IPv6 client's name, which is what a site gets: 65,536 clients of their own. Null for other clients.
 */
export function wideNetworkOf(client: string): string | null {
  if (!client.endsWith('::/64')) return null
  return `${client.slice(0, -'::/64'.length).split(':').slice(0, 3).join(':')}::/48`
}

/** The first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}
