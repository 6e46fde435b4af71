import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MIME_TYPE } from '../../../api/domain/artifacts/media-kind.ts'
import { attachmentDisposition, harmlessHeaders, servedType } from '../../../api/features/artifacts/served-file.ts'
import { createSubmissionBody } from '../../../api/features/submissions/create-submission.schemas.ts'
import { parseRange } from '../../../api/http/byte-range.ts'
import { byDepth } from '../../support/depth.ts'

test.each([
  ['image/png', 'image/png'],
  ['IMAGE/PNG', 'image/png'],
  ['text/plain; charset=utf-16', 'text/plain; charset=utf-8'],
  ['text/x-python', 'text/plain; charset=utf-8'],
  ['application/yaml', 'text/plain; charset=utf-8'],
  ['text/javascript', 'application/octet-stream'],
  ['text/css', 'application/octet-stream'],
  ['text/html', 'application/octet-stream'],
  ['image/svg+xml', 'application/octet-stream'],
  ['application/javascript', 'application/octet-stream'],
  ['application/xhtml+xml', 'application/octet-stream'],
  ['text/plain\r\nSet-Cookie: a=b', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('given a file declared as %j, then it is served as %s', (given, served) => {
  expect(servedType(given)).toBe(served)
})

test.each([
  ['photo.webp', 'image', 'image/webp'],
  ['token.sol', 'text', 'text/plain; charset=utf-8'],
  ['README', 'text', 'text/plain; charset=utf-8'],
  ['notes.xyz', 'text', 'text/plain; charset=utf-8'],
  ['page.html', 'text', 'application/octet-stream'],
  ['app.mjs', 'text', 'application/octet-stream'],
  ['data.bin', 'unknown', 'application/octet-stream'],
  // The name contradicts the content.
  ['film.mp4', 'text', 'text/plain; charset=utf-8'],
  ['drawing.svg', 'text', 'text/plain; charset=utf-8'],
  ['photo.png', 'unknown', 'application/octet-stream'],
  ['photo.png', 'pdf', 'application/octet-stream'],
  ['notes.txt', 'archive', 'application/octet-stream'],
])(
  'given %s of kind %s declared as application/octet-stream, then it is an attachment of type %s',
  (fileName, mediaKind, served) => {
    const headers = harmlessHeaders({ fileName, mimeType: 'application/octet-stream', mediaKind })
    expect(headers['Content-Type']).toBe(served)
    expect(headers['Content-Disposition']).toMatch(/^attachment;/)
  },
)

const hostileNames = [
  '..',
  '../../etc/passwd',
  '..\\..\\boot.ini',
  'a/b',
  'a\r\nSet-Cookie: x=y',
  'a\0b',
  '"; filename="x.exe',
  "'';x",
  '%2e%2e%2f',
  '.bashrc',
  '...',
  ' . ',
  'CON',
  'nul.txt',
  'com1.tar.gz',
  'LPT9',
  'trailing.',
  'trailing ',
  '-rf',
  '~',
  '$(id)',
  '`id`',
  '%PATH%',
  'é',
  'e\u0301',
  'invoice\u202efdp.exe',
  '\u200f\u200e.txt',
  '👩‍👩‍👧‍👦.png',
  '\ufeffa',
  '\u{e0041}.txt',
  '二'.repeat(255),
  '🦀'.repeat(255),
]
/** The file names that the service admits: other names are refused before they are stored. */
const fileName = createSubmissionBody.shape.artifacts.element.shape.fileName
const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }),
    fc.constantFrom(...hostileNames),
  )
  .filter((name) => fileName.safeParse(name).success)

test('given any file name, then it cannot leave its header, its quotes or its folder', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const value = attachmentDisposition(name)
      expect(value).toMatch(/^attachment; filename="[\w .()-]{1,151}"; filename\*=UTF-8''[!#$&+\-.^_`|~\w%]*$/)
      const [, plain = '', exact = ''] = /filename="(.*)"; filename\*=UTF-8''(.*)$/.exec(value) ?? []
      expect(decodeURIComponent(exact)).toBe(name)
      expect(plain).not.toMatch(/^[. ]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i)
      expect(() => validateHeaderValue('Content-Disposition', value)).not.toThrow()
      expect(value.length).toBeLessThan(4096)
    }),
    { numRuns: byDepth(200, 1_000) },
  )
})

test.each(hostileNames.filter((name) => /[/\\\p{Cc}\u202e]/u.test(name) || name === '..'))(
  'given the name %j, then it is refused',
  (name) => {
    expect(fileName.safeParse(name).success).toBe(false)
  },
)

test('given a name of 255 characters, then it is admitted, of any length in bytes, and a longer one is not', () => {
  expect(fileName.safeParse('🦀'.repeat(255)).success).toBe(true)
  expect(fileName.safeParse('a'.repeat(256)).success).toBe(false)
})

test('given files of the same name and type, then their headers are the same', () => {
  const types = fc.oneof(
    fc.stringMatching(MIME_TYPE),
    fc.constantFrom('text/html', 'image/svg+xml', 'text/xml', 'text/css'),
  )
  fc.assert(
    fc.property(anyName, types, (name, mimeType) => {
      const headers = harmlessHeaders({ fileName: name, mimeType, mediaKind: 'unknown' })
      expect(headers['Content-Type']).not.toMatch(/html|xml|svg|script|css/)
      expect(headers).toMatchObject({ 'X-Content-Type-Options': 'nosniff' })
      expect(headers['Content-Security-Policy']).toMatch(/^sandbox; default-src 'none';/)
      expect(headers['Content-Disposition']).toMatch(/^attachment;/)
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
])('given ten bytes, when Range is %j, then it means %j', (header, expected) => {
  expect(parseRange(header, 10)).toEqual(expected)
})

test('given an empty file, then no range of it can be served', () => {
  for (const header of ['bytes=0-0', 'bytes=-1', 'bytes=0-']) expect(parseRange(header, 0)).toBeNull()
})
