import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toStoredText } from '../../../protocol/rules/stored-text.ts'

test.each([
  ['plain', 'plain'],
  ['a\0b', 'a\ufffdb'],
  ['\ud800', '\ufffd'],
  ['\udc00x', '\ufffdx'],
  ['😀', '😀'],
  ['\r\n\u202e\ufeff', '\r\n\u202e\ufeff'],
])('given %j, then it is stored as %j', (text, expected) => {
  expect(toStoredText(text)).toBe(expected)
})

test('given a well-formed text without NUL, then it is stored unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('\0'))
      expect(toStoredText(text)).toBe(text)
    }),
  )
})
