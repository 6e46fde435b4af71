import { expect, it } from 'vitest'
import { classOfClient } from '../../../api/server/client-class.ts'

it.each([
  ['127.0.0.1', 'loopback'],
  ['127.9.9.9', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0::/64', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['fd00:1:2:3::/64', 'private'],
  ['172.32.0.1', 'ipv4'],
  ['8.8.8.8', 'ipv4'],
  ['2001:db8:1:2::/64', 'ipv6'],
  ['local', 'none'],
  ['', 'none'],
])('given %s, then it is %s', (client, expected) => {
  expect(classOfClient(client)).toBe(expected)
})
