import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRepeatedTag, foldTag } from '../../../protocol/text/fold-tag.ts'

test.each([
  ['Rust', 'rust'],
  ['Ｒｕｓｔ', 'rust'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ['İstanbul', 'İstanbul'.toLowerCase()],
  ['ᾠδή', 'ὨΙΔΉ'],
  ['և', 'ԵՒ'],
  ['Cafe\u0301', 'CAFÉ'],
  ['ﬁle', 'FILE'],
])('%s and %s are one tag', (one, other) => {
  expect(foldTag(one)).toBe(foldTag(other))
  expect(findRepeatedTag(['first', one, other])).toBe(2)
})

test.each([
  ['sınır', 'sinir'],
  ['cafe', 'café'],
  ['a b', 'ab'],
  ['c', 'c++'],
])('%s and %s are two tags', (one, other) => {
  expect(findRepeatedTag([one, other])).toBe(-1)
})

test('what was folded folds to itself, and folds to the same in any case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (tag) => {
      expect(foldTag(foldTag(tag))).toBe(foldTag(tag))
      expect(foldTag(tag.normalize('NFD'))).toBe(foldTag(tag))
      expect(foldTag(tag.toLowerCase())).toBe(foldTag(tag))
      // The upper case of a dotless i is that of an i.
      if (!tag.includes('ı')) expect(foldTag(tag.toUpperCase())).toBe(foldTag(tag))
    }),
  )
})
