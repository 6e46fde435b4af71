import { expect, test } from 'vitest'
import { codingOf } from '../../../web/http/compress.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['GZIP', 'gzip'],
  ['identity', null],
  ['br;q=0.000, gzip;q=0', null],
  [undefined, null],
  // However it is written, there are three ways to send a file: each is compressed once.
  ['br;q=0.123, x-made-up-17', 'br'],
])('given Accept-Encoding %s, then a text is sent as %s', (accepted, coding) => {
  expect(codingOf(accepted)).toBe(coding)
})
