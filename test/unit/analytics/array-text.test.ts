import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrayToJson } from '../../../api/analytics/array-text.ts'
import { PIECE_LENGTH, piecesOf } from '../../../api/analytics/text-pieces.ts'
import { jsonWriterOf } from '../../../api/analytics/text-values.ts'

const TEXT_ARRAY = 1009
const INTEGER_ARRAY = 1007
const JSON_ARRAY = 199

function toJson(text: string, typeId = TEXT_ARRAY): unknown {
  return JSON.parse([...jsonWriterOf(typeId)(text)].join(''))
}

test.each([
  ['{}', []],
  ['{NULL,"NULL",""}', [null, 'NULL', '']],
  ['{NULLS,a NULL}', ['NULLS', 'a NULL']],
  ['[0:1]={a,b}', ['a', 'b']],
  ['[-1:-1][2:3]={{a,"="}}', [['a', '=']]],
  [
    '{{a,NULL},{"{,}",b}}',
    [
      ['a', null],
      ['{,}', 'b'],
    ],
  ],
  [String.raw`{"\"","\\","a\\\"b","\\\\"}`, ['"', '\\', 'a\\"b', '\\\\']],
  ['{"😀, 😀",é}', ['😀, 😀', 'é']],
  ['{"a\nb"}', ['a\nb']],
])('given the text %s of an array, then it is this JSON', (text, expected) => {
  expect(toJson(text)).toEqual(expected)
})

test('given arrays of numbers and of json, then elements are numbers and documents', () => {
  expect(toJson('{1,-2,NULL}', INTEGER_ARRAY)).toEqual([1, -2, null])
  expect(toJson(String.raw`{"{\"a\": [1, \"\\\\\"]}",null,1,NULL}`, JSON_ARRAY)).toEqual([
    { a: [1, '\\'] },
    null,
    1,
    null,
  ])
})

test('given text that is no array, then it throws', () => {
  for (const text of ['{"a', '{a', '{"a\\']) expect(() => toJson(text)).toThrow(/array/)
})

type Nested = string | null | Nested[]

/** As PostgreSQL writes an array (`array_out`). */
function writeArray(value: Nested): string {
  if (value === null) return 'NULL'
  if (Array.isArray(value)) return `{${value.map(writeArray).join(',')}}`
  const isQuoted = value === '' || /^null$/i.test(value) || /[{},"\\\s]/.test(value)
  return isQuoted ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}

const element = fc.option(
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('\\', '"', ',', '{', '}', '=', ' ', '\n', 'a', '😀', '<', '\u202e') }),
    fc.constantFrom('NULL', 'null', '', '[0:1]={a}'),
  ),
)

test('given any array, then its JSON is the same array', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(element, fc.array(element, { minLength: 1 }))), (values) => {
      expect(toJson(writeArray(values))).toEqual(values)
      expect(toJson(`[0:${values.length}]=${writeArray(values)}`)).toEqual(values)
    }),
  )
})

test('given elements longer than a part, then no part is long and none splits an escape or a character', () => {
  const lengths = [-3, -2, -1, 0, 1, 2, 3].map((more) => PIECE_LENGTH + more)
  const values = lengths.flatMap((length) => [
    'a'.repeat(length),
    `${'a'.repeat(length)}"\\\\"😀 `,
    '\\'.repeat(length),
    `${'a'.repeat(length % 2)}${'😀'.repeat(length)}`,
    `"${'\r\n'.repeat(length)}`,
  ])
  expect(toJson(writeArray(values))).toEqual(values)
  const parts = [...arrayToJson(writeArray(values), { before: '', write: (part) => part, after: '' })]
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(2 * PIECE_LENGTH + 1)
  for (const part of parts) expect(/\p{Cs}/u.test(part)).toBe(false)
})

test('given any text, then its pieces together are the text, and each is well-formed', () => {
  for (const text of [
    '',
    'a',
    '😀'.repeat(PIECE_LENGTH),
    `a${'😀'.repeat(PIECE_LENGTH)}`,
    '\r\n'.repeat(PIECE_LENGTH),
  ]) {
    const pieces = [...piecesOf(text)]
    expect(pieces.join('')).toBe(text)
    for (const piece of pieces) {
      expect([!/\p{Cs}/u.test(piece), piece.length <= PIECE_LENGTH, piece.startsWith('\n')]).toEqual([
        true,
        true,
        false,
      ])
    }
  }
})
