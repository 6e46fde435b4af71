import { BlockList, isIP } from 'node:net'

/**
 * An address block of an IANA registry: the "IPv4 Special-Purpose Address Registry" or the "IPv6 Special-Purpose
 * Address Registry". `isGlobal` is the column "Globally Reachable", and is false for N/A.
 */
type Block = readonly [cidr: string, isGlobal: boolean, name: string]

/**
 * The IPv4 address blocks with a special purpose, from the IANA registry. Only the multicast block is from another
 * registry.
 */
export const ipv4Blocks: readonly Block[] = [
  ['0.0.0.0/8', false, 'this network'],
  ['10.0.0.0/8', false, 'private use'],
  ['100.64.0.0/10', false, 'shared address space'],
  ['127.0.0.0/8', false, 'loopback'],
  ['169.254.0.0/16', false, 'link local'],
  ['172.16.0.0/12', false, 'private use'],
  ['192.0.0.0/24', false, 'IETF protocol assignments'],
  ['192.0.0.9/32', true, 'port control protocol anycast'],
  ['192.0.0.10/32', true, 'TURN anycast'],
  ['192.0.2.0/24', false, 'documentation'],
  ['192.31.196.0/24', true, 'AS112-v4'],
  ['192.52.193.0/24', true, 'AMT'],
  ['192.88.99.0/24', false, 'deprecated 6to4 relay anycast'],
  ['192.168.0.0/16', false, 'private use'],
  ['192.175.48.0/24', true, 'direct delegation AS112 service'],
  ['198.18.0.0/15', false, 'benchmarking'],
  ['198.51.100.0/24', false, 'documentation'],
  ['203.0.113.0/24', false, 'documentation'],
  ['224.0.0.0/4', false, 'multicast'],
  ['240.0.0.0/4', false, 'reserved, and limited broadcast'],
]

/**
 * The IPv6 address blocks with a special purpose, within the global unicast block. The addresses of some blocks embed
 * an IPv4 address; such blocks are listed as unreachable. `NAT64` is not in this list: an address in `NAT64` is
 * reachable if its embedded IPv4 address is reachable.
 */
export const ipv6Blocks: readonly Block[] = [
  ['2001::/23', false, 'IETF protocol assignments, Teredo and benchmarking among them'],
  ['2001:1::1/128', true, 'port control protocol anycast'],
  ['2001:1::2/128', true, 'TURN anycast'],
  ['2001:1::3/128', true, 'DNS-SD service registration anycast'],
  ['2001:3::/32', true, 'AMT'],
  ['2001:4:112::/48', true, 'AS112-v6'],
  ['2001:20::/28', true, 'ORCHIDv2'],
  ['2001:30::/28', true, 'drone remote id'],
  ['2001:db8::/32', false, 'documentation'],
  ['2002::/16', false, '6to4'],
  ['2620:4f:8000::/48', true, 'direct delegation AS112 service'],
  ['3fff::/20', false, 'documentation'],
]

/**
 * The range of global unicast IPv6 addresses. If an IPv6 address is neither in this range nor in `NAT64`, the address
 * counts as unreachable.
 */
const UNICAST = toList('2000::/3')
/** The range of IPv6 addresses that represent IPv4 addresses in IPv6-only networks (NAT64, RFC 6052). */
const NAT64 = toList('64:ff9b::/96')
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** The special address blocks, longest prefix first. The first match for an IP address is then the most specific. */
const lists = [...ipv4Blocks, ...ipv6Blocks]
  .map(([cidr, isGlobal]) => ({ list: toList(cidr), isGlobal, prefix: Number(cidr.split('/')[1]), of: familyOf(cidr) }))
  .sort((one, other) => other.prefix - one.prefix)

/**
 * Returns true if an IP address may belong to any host of the public internet. Returns false for a special address, for
 * an address with a zone, and for a text that is not an IP address.
 *
 * Example: `isGloballyReachable('203.0.113.7')` returns false, because the address is reserved for documentation.
 */
export function isGloballyReachable(address: string): boolean {
  // A webhook's receiver is untrusted and must not be a host in the service's networks.
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  if (version === 4) return decide(address, 'ipv4') ?? true
  if (NAT64.check(address, 'ipv6')) return isGloballyReachable(toEmbedded(address))
  return UNICAST.check(address, 'ipv6') && (decide(address, 'ipv6') ?? true)
}

/** Returns true for a loopback address of this machine. Example: `isLoopback('::1')` returns true. */
export function isLoopback(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

function decide(address: string, family: 'ipv4' | 'ipv6'): boolean | null {
  const block = lists.find(({ list, of }) => of === family && list.check(address, family))
  return block?.isGlobal ?? null
}

/** Returns the IPv4 address that the last 32 bits of an IPv6 address embed. */
function toEmbedded(address: string): string {
  // A URL normalizes every form of an address to eight groups of hex without the longest run of zeros.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high, low] = [groups.at(-2), groups.at(-1)].map((group) => Number.parseInt(group || '0', 16))
  return [high, low].flatMap((bits = 0) => [bits >> 8, bits & 255]).join('.')
}

function toList(cidr: string): BlockList {
  const [network = '', prefix] = cidr.split('/')
  const list = new BlockList()
  list.addSubnet(network, Number(prefix), familyOf(cidr))
  return list
}

function familyOf(cidr: string): 'ipv4' | 'ipv6' {
  return cidr.includes(':') ? 'ipv6' : 'ipv4'
}
