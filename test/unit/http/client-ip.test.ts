import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createClientIpReader, createClientNamer, wideNetworkOf } from '../../../api/identity/client-ip.ts'

async function clientOf(options: { socket?: string; forwarded?: string; trusted?: string[] }): Promise<string> {
  const read = createClientIpReader(createClientNamer(options.trusted ?? []))
  const app = new Hono().get('/', (c) => c.text(read(c)))
  const headers = options.forwarded === undefined ? {} : { 'X-Forwarded-For': options.forwarded }
  const incoming = { socket: { remoteAddress: options.socket, remotePort: 1, remoteFamily: 'IPv4' } }
  const response = await app.request('/', { headers }, options.socket === undefined ? undefined : { incoming })
  return await response.text()
}

test('given no proxy, then the socket names the client, and no header changes it', async () => {
  expect(await clientOf({ socket: '203.0.113.7' })).toBe('203.0.113.7')
  expect(await clientOf({ socket: '203.0.113.7', forwarded: '198.51.100.1' })).toBe('203.0.113.7')
  expect(await clientOf({ socket: '::ffff:203.0.113.7' })).toBe('203.0.113.7')
})

test('given configured proxies, then it is the last address that none of them wrote', async () => {
  const trusted = ['10.0.0.0/8', '2001:db8::1']
  const behind = (forwarded: string, socket = '10.1.2.3') => clientOf({ socket, forwarded, trusted })
  expect(await behind('198.51.100.1')).toBe('198.51.100.1')
  expect(await behind('1.1.1.1, 198.51.100.1')).toBe('198.51.100.1')
  expect(await behind('198.51.100.1, 10.9.9.9')).toBe('198.51.100.1')
  expect(await behind('198.51.100.1', '2001:db8::1')).toBe('198.51.100.1')
  expect(await behind('198.51.100.1', '::ffff:10.1.2.3')).toBe('198.51.100.1')
})

test('given a proxy that writes no address or an invalid one, then its address stands for its clients', async () => {
  const trusted = ['10.0.0.0/8']
  expect(await clientOf({ socket: '10.1.2.3', trusted })).toBe('10.1.2.3')
  expect(await clientOf({ socket: '10.1.2.3', forwarded: 'unknown', trusted })).toBe('10.1.2.3')
})

test('given IPv6 clients of one /64, then they share a name', async () => {
  const one = await clientOf({ socket: '2001:db8:1:2:3:4:5:6' })
  expect(one).toBe('2001:db8:1:2::/64')
  expect(await clientOf({ socket: '2001:db8:1:2::9' })).toBe(one)
  expect(await clientOf({ socket: '2001:db8:1:3::9' })).not.toBe(one)
  expect(await clientOf({ socket: '::1' })).toBe('0:0:0:0::/64')
})

test('given calls within the process, then they share one name', async () => {
  expect(await clientOf({})).toBe('local')
})

test('given a /64, then it is part of its /48, and an IPv4 client of none', () => {
  expect(wideNetworkOf('2001:db8:1:2::/64')).toBe('2001:db8:1::/48')
  expect(wideNetworkOf('203.0.113.7')).toBeNull()
})
