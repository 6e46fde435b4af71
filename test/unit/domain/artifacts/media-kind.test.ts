import { describe, expect, test } from 'vitest'
import { type MediaKind, MIME_TYPE, mediaKindOf } from '../../../../api/domain/artifacts/media-kind.ts'
import { PREVIEW_BYTES, textPreviewOf } from '../../../../api/domain/artifacts/text-preview.ts'

describe('a MIME type', () => {
  test.each([
    'text/plain',
    'text/plain;charset=utf-8',
    'text/plain; charset="utf-8"; format=flowed',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'image/svg+xml',
  ])('given %s, then it is a MIME type', (text) => {
    expect(MIME_TYPE.test(text)).toBe(true)
  })

  test.each([
    '',
    'text',
    'text/',
    '/plain',
    'text/plain;',
    'text/plain; x',
    'a b/c',
    'text/plain\r\nX: y',
    'text/pläin',
    'a/b/c',
    ' text/plain',
  ])('given %j, then it is no MIME type', (text) => {
    expect(MIME_TYPE.test(text)).toBe(false)
  })

  test('given a text that causes backtracking in careless expressions, then it is refused in time', () => {
    expect(MIME_TYPE.test(`a/b${';a=b'.repeat(30)};`)).toBe(false)
    expect(MIME_TYPE.test(`a/b${' \t'.repeat(60)}`)).toBe(false)
    expect(MIME_TYPE.test(`a/b;a="${'\\'.repeat(100)}`)).toBe(false)
  })
})

test.each([
  ['image/png', 'image'],
  ['image/svg+xml', 'image'],
  ['video/mp4', 'video'],
  ['audio/ogg', 'audio'],
  ['application/pdf', 'pdf'],
  ['text/markdown', 'text'],
  ['TEXT/HTML; charset=utf-8', 'text'],
  ['application/json', 'text'],
  ['application/problem+json', 'text'],
  ['application/zip', 'archive'],
  ['application/gzip', 'archive'],
  ['application/epub+zip', 'archive'],
  ['application/java-archive', 'archive'],
  ['application/x-pdf', 'pdf'],
  ['application/xhtml+xml', 'text'],
  ['application/x-ndjson', 'text'],
  ['image/svg+xml; charset=utf-8', 'image'],
  ['application/pdf+json', 'text'],
  ['image', 'unknown'],
  ['multipart/form-data', 'unknown'],
  ['font/woff2', 'unknown'],
  ['application/octet-stream', 'unknown'],
  ['application/problem+jsons', 'unknown'],
  ['application/x+zipped', 'unknown'],
  ['model/gltf-binary', 'unknown'],
  ['constructor/x', 'unknown'],
])('given a file of type %s, then its kind is %s', (mimeType, kind) => {
  expect(mediaKindOf(mimeType)).toBe(kind)
})

describe('a text preview', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const previewOf = (kind: MediaKind, file: Uint8Array) =>
    textPreviewOf(kind, file.subarray(0, PREVIEW_BYTES), file.length > PREVIEW_BYTES)

  test('given a short file, then it is its text', () => {
    expect(previewOf('text', bytes('héllo 👋'))).toBe('héllo 👋')
  })

  test('given a long one, then it is the first 500 characters, none of them cut in half', () => {
    expect(previewOf('text', bytes('👋'.repeat(501)))).toBe('👋'.repeat(500))
    expect(previewOf('text', bytes(`a${'👋'.repeat(2000)}`))).toBe(`a${'👋'.repeat(499)}`)
    expect(previewOf('text', bytes(`${'é'.repeat(999)}€${'é'.repeat(999)}`))).toBe('é'.repeat(500))
  })

  test.each([
    ['of another kind', 'image', bytes('abc')],
    ['that is empty', 'text', bytes('')],
    ['that is no UTF-8', 'text', Uint8Array.of(0xff, 0xfe, 0x41)],
    ['that ends in the middle of a character', 'text', bytes('abc👋').slice(0, 5)],
    ['with a NUL', 'text', bytes('a\0b')],
  ] as const)('given a file %s, then there is none', (_name, kind, content) => {
    expect(previewOf(kind, content)).toBeNull()
  })
})
