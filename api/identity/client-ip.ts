import { BlockList, isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    /** The client's name (its IPv4 address or IPv6 network). Undefined until the name is first read. */
    client: string | undefined
  }
}

/** Returns the name of a request's client for rate limits: the IPv4 address, or the IPv6 network. */
export type ClientIpReader = (c: Context) => string

/**
 * Returns the client's name (its IPv4 address or IPv6 network) from the socket's address and the header
 * `X-Forwarded-For`.
 */
export type ClientNamer = (socketAddress: string, forwardedFor: string | undefined) => string

/**
 * Creates the function that names clients. Usually, the client is the address of the socket. Behind a configured proxy,
 * the client is the last address in `X-Forwarded-For` that is not a configured proxy. An IPv6 client is named by its
 * /64 network.
 * @param trustedProxies addresses or CIDR ranges
 */
export function createClientNamer(trustedProxies: readonly string[]): ClientNamer {
  const trustedNetworks = toBlockList(trustedProxies)
  return (socketAddress, forwardedFor = '') => {
    let client = withoutMapping(socketAddress)
    const hops = forwardedFor.split(',').map((hop) => withoutMapping(hop.trim()))
    while (isTrusted(trustedNetworks, client)) {
      const before = hops.pop()
      if (before === undefined || isIP(before) === 0) break
      client = before
    }
    return isIP(client) === 6 ? networkOf(client) : client
  }
}

/** Creates a function that names a request's client and stores the name in the request's context. */
export function createClientIpReader(nameClient: ClientNamer): ClientIpReader {
  return (c) => {
    const client = c.get('client') ?? nameClient(socketAddress(c), c.req.header('x-forwarded-for'))
    c.set('client', client)
    return client
  }
}

/** Returns the socket's address. Calls within the process have no socket and share the name `local`. */
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

/**
 * Removes the prefix that a dual-stack socket adds to IPv4 addresses. Example: `withoutMapping('::ffff:1.2.3.4')`
 * returns `'1.2.3.4'`.
 */
export function withoutMapping(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address
}

/**
 * Returns the /48 network of an IPv6 client. Returns null for an IPv4 client. A /48 network contains 65,536 clients and
 * usually belongs to one site. Example: `wideNetworkOf('2001:db8:1:2::/64')` returns `'2001:db8:1::/48'`.
 */
export function wideNetworkOf(client: string): string | null {
  if (!client.endsWith('::/64')) return null
  return `${client.slice(0, -'::/64'.length).split(':').slice(0, 3).join(':')}::/48`
}

/** Returns the /64 network of an IPv6 address: the first four groups. */
function networkOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}
