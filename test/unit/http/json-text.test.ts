import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJsonText } from '../../../api/http/json-text.ts'

test('given any value, then the text parses to it, and no tag can begin in it', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<script>', '</a', '<!--', '\\u003c', '\\<', '\\\\<'),
  )
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.dictionary(texts, texts), (value, texts) => {
      const both = { value, texts }
      const json = toJsonText(both)
      expect(json).not.toContain('<')
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(both)))
    }),
  )
})
