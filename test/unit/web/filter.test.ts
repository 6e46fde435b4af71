import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAskedFor } from '../../../api/http/accept.ts'
import { fieldNames, listUrl, readFields, toQuery } from '../../../web/pages/tasks/filter.ts'
import { parseUsdc } from '../../../web/words/amount.ts'

const value = fc.string({ minLength: 1, maxLength: 20 }).map((text) => text.trim())
const fields = fc
  .dictionary(fc.constantFrom(...fieldNames), value)
  .map((all) => Object.fromEntries(Object.entries(all).filter(([name, text]) => text !== '' && name !== 'tags')))

test('given any filter, when its URL is read, then it is the same filter', () => {
  fc.assert(
    fc.property(fields, (filter) => {
      const { state, ...others } = filter
      const expected = state === 'open' || state === undefined ? others : { ...others, state }
      expect(readFields(new URL(listUrl(filter), 'http://localhost').searchParams)).toEqual(expected)
    }),
  )
})

test('given tags that are repeated or in one field, then all of them are asked for', () => {
  const read = (search: string) => toQuery(readFields(new URLSearchParams(search))).query
  expect(read('tags=ink&tags=paper')).toMatchObject({ tags: ['ink', 'paper'] })
  expect(read('tags=ink,%20paper,')).toMatchObject({ tags: ['ink', 'paper'] })
})

test('given no words, then nothing is sorted by relevance', () => {
  expect(toQuery({ sort: 'relevance' }).query).toEqual({ status: 'open' })
  expect(toQuery({ sort: 'relevance', q: 'map', state: 'all' }).query).toEqual({ sort: 'relevance', q: 'map' })
})

test.each([
  ['12.5', 12_500_000n],
  ['1,204.50', 1_204_500_000n],
  ['0.000001', 1n],
  ['5.', 5_000_000n],
  ['0.0000001', null],
  ['-1', null],
  ['1e3', null],
  ['lots', null],
])('takes the amount %s as %s', (text, expected) => {
  expect(parseUsdc(text)).toBe(expected)
})

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/html;q=0.5', false],
  ['text/html;q=0', false],
  ['TEXT/HTML; Q=0.000', false],
  ['text/html;charset="a,b"', true],
  ['', false],
  [undefined, false],
])('takes %s for a browser: %s', (accept, expected) => {
  expect(isAskedFor('text/html', accept)).toBe(expected)
})
