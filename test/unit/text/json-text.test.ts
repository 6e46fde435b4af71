import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJsonText } from '../../../api/text/json-text.ts'

test('given any value, then the text parses to it, and contains no tag', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<script>', '</a', '<!--', '\\u003c', '\\<', '\\\\<', '\u202e', '\\\u009b31m', '\u{e0041}', '\x7f'),
  )
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.dictionary(texts, texts), (value, texts) => {
      const both = { value, texts }
      const json = toJsonText(both)
      expect(json).not.toMatch(/[<\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(both)))
    }),
  )
})
