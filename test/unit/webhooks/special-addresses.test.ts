import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  ipv4Blocks,
  ipv6Blocks,
  isGloballyReachable,
  isLoopback,
} from '../../../api/events/webhooks/special-addresses.ts'

/** First and last address of every row of IANA's two registries, and of what is no unicast at all. */
const refused = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.7', '192.0.0.8', '192.0.0.11', '192.0.0.170', '192.0.0.171', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.2', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ['::', '::1', '::2', '::127.0.0.1', '::8.8.8.8'],
  ['::ffff:0.0.0.0', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1'],
  ['64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::', '64:ff9b::255.255.255.255'],
  ['64:ff9b:0:0:0:1::8.8.8.8', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', '2001:0:808:808::', '2001:1::', '2001:1::4'],
  ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', '2001:5::', '2001:10::', '2001:1f:ffff::', '2001:40::'],
  ['2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:4:111::', '2001:4:113::', '2001:1ff::1'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::1', '1fff::1'],
  ['fc00::', 'fd00::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'fe80::1', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::1', 'fe80::1%eth0', '2606:4700::1%eth0'],
  ['ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['', 'localhost', '127.1', '0x7f000001', '2130706433', '8.8.8.8:53', '[2606:4700::1]', '010.0.0.1'],
].flat()

const reachable = [
  ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'],
  ['192.0.0.9', '192.0.0.10', '192.31.196.0', '192.52.193.255', '192.175.48.1', '192.88.98.255', '192.88.100.0'],
  ['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '203.0.114.0', '223.255.255.255'],
  ['2000::', '2001:200::', '2001:4860:4860::8888', '2001:db7:ffff::', '2001:db9::', '2003::', '2606:4700::1111'],
  ['2001:1::1', '2001:1::2', '2001:1::3', '2001:3::1', '2001:4:112::1', '2001:20::', '2001:2f:ffff::', '2001:30::1'],
  ['2620:4f:8000::1', '3fff:1000::', '3ffe:ffff::1', '64:ff9b::8.8.8.8', '64:ff9b::808:808', '64:ff9b:0:0::101:101'],
].flat()

describe('addresses of receivers', () => {
  it.each(refused)('given %s, then it is refused', (address) => {
    expect(isGloballyReachable(address)).toBe(false)
  })
  it.each(reachable)('given %s, then it is reachable', (address) => {
    expect(isGloballyReachable(address)).toBe(true)
  })
})

test('given any IPv4 address in an IPv6 one, then no form of it is reachable that the address itself is not', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const isReachable = isGloballyReachable(address)
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
      const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)]
      expect(isGloballyReachable(`64:ff9b::${address}`)).toBe(isReachable)
      for (const form of [`::ffff:${address}`, `::ffff:${high}:${low}`, `::${address}`, `2002:${high}:${low}::1`]) {
        expect(isGloballyReachable(form)).toBe(false)
      }
    }),
  )
})

test('given any text that is no address, then it is refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (isIP(text) === 0) expect(isGloballyReachable(text)).toBe(false)
    }),
  )
})

test('given loopback addresses, then they are told from others', () => {
  expect(['127.0.0.1', '127.255.255.255', '::1'].map(isLoopback)).toEqual([true, true, true])
  expect(['128.0.0.1', '10.0.0.1', '::2', 'localhost', ''].map(isLoopback)).not.toContain(true)
})

test('given the table, then every block is one of its family', () => {
  for (const [cidr] of ipv4Blocks) expect(isIP(cidr.split('/')[0] ?? '')).toBe(4)
  for (const [cidr] of ipv6Blocks) expect(isIP(cidr.split('/')[0] ?? '')).toBe(6)
})
