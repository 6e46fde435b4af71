import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRange } from '../../../api/features/artifacts/byte-range.ts'
import { attachmentDisposition, servedType } from '../../../api/features/artifacts/served-file.ts'

test.each([
  ['image/png', 'image/png'],
  ['IMAGE/PNG', 'image/png'],
  ['text/plain; charset=utf-16', 'text/plain; charset=utf-8'],
  ['text/html', 'application/octet-stream'],
  ['image/svg+xml', 'application/octet-stream'],
  ['application/javascript', 'application/octet-stream'],
  ['application/xhtml+xml', 'application/octet-stream'],
  ['text/plain\r\nSet-Cookie: a=b', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('a file said to be %j is served as %s', (given, served) => {
  expect(servedType(given)).toBe(served)
})

test('no file name can leave its header, its quotes or its folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 255 }), (name) => {
      const value = attachmentDisposition(name)
      expect(value).toMatch(/^attachment; filename="[\w .()-]*"; filename\*=UTF-8''[!#$&+\-.^_`|~\w%]*$/)
      const exact = /filename\*=UTF-8''(.*)$/.exec(value)?.[1] ?? ''
      expect(decodeURIComponent(exact)).toBe(name)
      expect(() => new Headers({ 'Content-Disposition': value })).not.toThrow()
    }),
  )
})

test.each([
  [undefined, null],
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=-2', { start: 8, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=5-99', { start: 5, end: 9 }],
  ['bytes=10-', null],
  ['bytes=5-4', null],
  ['bytes=-0', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['lines=0-1', null],
  [`bytes=${'9'.repeat(400)}-`, null],
])('of ten bytes, Range %j means %j', (header, expected) => {
  expect(parseRange(header, 10)).toEqual(expected)
})

test('an empty file has no ranges', () => {
  for (const header of ['bytes=0-0', 'bytes=-1', 'bytes=0-']) expect(parseRange(header, 0)).toBeNull()
})
