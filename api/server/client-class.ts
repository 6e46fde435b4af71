import { BlockList, isIP } from 'node:net'

/** The kind of network of a client's address. Logs contain the kind instead of the address. */
export type ClientClass = 'loopback' | 'private' | 'ipv4' | 'ipv6' | 'none'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
const nearbyNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  nearbyNetworks.addSubnet(network, bits, 'ipv4')
}
nearbyNetworks.addSubnet('fc00::', 7, 'ipv6')
nearbyNetworks.addSubnet('fe80::', 10, 'ipv6')

/**
 * Returns the kind of a client's network. Example: `classOfClient('127.0.0.1')` returns `'loopback'`.
 * @param client an IPv4 address, or an IPv6 network in the form of `createClientIpReader`
 */
export function classOfClient(client: string): ClientClass {
  const address = client.replace(/\/64$/, '')
  const version = isIP(address)
  if (version === 0) return 'none'
  const family = version === 6 ? 'ipv6' : 'ipv4'
  // The client's /64 includes `::1`, the only used address of its network.
  if (loopback.check(address, family) || address === '0:0:0:0::') return 'loopback'
  return nearbyNetworks.check(address, family) ? 'private' : family
}
