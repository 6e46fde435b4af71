import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { acceptsGzip, compressedText, isCompressed } from '../../../api/http/compression.ts'

test.each([
  ['gzip', true],
  ['GZIP', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['*', true],
  ['*;q=0, gzip', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, br', false],
  ['br, gzip;q=0, *', false],
  ['*;q=0', false],
  ['identity', false],
  ['x-gzip2', false],
  ['', false],
  ['gzip;q=nothing', false],
  [undefined, false],
])('Accept-Encoding %s accepts gzip: %s', (header, accepts) => {
  expect(acceptsGzip(header)).toBe(accepts)
})

test('a short answer is sent as it is', () => {
  expect(isCompressed({ bytes: Buffer.alloc(1023) }, 'gzip')).toBe(false)
  expect(isCompressed({ bytes: Buffer.alloc(1024) }, 'gzip')).toBe(true)
})

test('an answer is compressed once, and has the same bytes again', async () => {
  const answer = { bytes: Buffer.from('é'.repeat(2000)) }
  const [first, second] = await Promise.all([compressedText(answer), compressedText(answer)])
  expect(second).toBe(first)
  expect(gunzipSync(first)).toEqual(answer.bytes)
})
