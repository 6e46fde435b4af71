import { expect, test } from 'vitest'
import { isKnownTag, tagOf } from '../../../api/http/entity-tags.ts'

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b" ,W/"a"', true],
  ['"b","x,y", "a"', true],
  ['*', true],
  [' * ', true],
  ['"b"', false],
  ['"A"', false],
  ['a', false],
  ['"x,"a', false],
  ['"b", *', false],
  ['', false],
  [undefined, false],
])('If-None-Match %s names "a": %s', (given, isKnown) => {
  expect(isKnownTag(given, '"a"')).toBe(isKnown)
})

test('a tag that contains a comma or the text of another is no other tag', () => {
  expect(isKnownTag('"x, a"', '"a"')).toBe(false)
  expect(isKnownTag('"x, a"', '"x, a"')).toBe(false)
  expect(isKnownTag('"x,a"', '"x,a"')).toBe(true)
})

test('another text has another tag, and the same text the same', () => {
  expect(tagOf('{}')).toBe(tagOf(Buffer.from('{}')))
  expect(tagOf('{}')).not.toBe(tagOf('[]'))
  expect(tagOf('{}')).toMatch(/^"[\w-]{27}"$/)
})
