import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryInteger } from '../../../api/http/query.ts'
import {
  address,
  baseUnits,
  basisPoints,
  bytes32,
  hexText,
  hours,
  seconds,
  unixSeconds,
  uuid,
  visibleText,
  wellFormedText,
} from '../../../api/http/request-schemas.ts'

test('given text, then its code points count, it is not changed, and text that cannot be stored is refused', () => {
  const text = wellFormedText(1, 3)
  for (const good of ['a', '日本語', '🦀🦀🦀', 'e\u0301a', '\u202eab']) expect(text.parse(good)).toBe(good)
  for (const bad of ['', 'abcd', '🦀🦀🦀🦀', 'a\0', '\ud800', 'x\udc00', 7, null, ['a']]) {
    expect(text.safeParse(bad).success).toBe(false)
  }
  expect(wellFormedText(0, 2).parse('')).toBe('')
})

test('given any text that Postgres and UTF-8 can store, then it is accepted, and no other', () => {
  const text = wellFormedText(0, 10_000)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (given) => {
      const storable = !given.includes('\0') && Buffer.from(given, 'utf8').toString('utf8') === given
      expect(text.safeParse(given).success).toBe(storable)
    }),
  )
})

test('given any text, then it is visible when it has a mark that no renderer may leave out', () => {
  const text = visibleText(0, 10_000)
  const invisible = fc.constantFrom(
    ' ',
    '\t',
    '\u00a0',
    '\u00ad',
    '\u115f',
    '\u200d',
    '\u2060',
    '\u2800',
    '\u3000',
    '\u3164',
    '\ufe0f',
    '\u{e0041}',
    '\ufffc',
    '\u{1d159}',
    '\u{13441}',
    '\u{13442}',
  )
  fc.assert(
    fc.property(
      fc.array(invisible, { minLength: 1 }),
      fc.constantFrom('a', '日', '7', '-', '+', '🦀'),
      (marks, seen) => {
        expect(text.safeParse(marks.join('')).success).toBe(false)
        expect(text.safeParse(`${marks.join('')}${seen}`).success).toBe(true)
      },
    ),
  )
  expect(text.parse('')).toBe('')
})

test('given amounts, then they are digits up to 2^96 - 1, with any padding', () => {
  expect(baseUnits.parse('0')).toBe(0n)
  expect(baseUnits.parse('0001000')).toBe(1000n)
  expect(baseUnits.parse('79228162514264337593543950335')).toBe(2n ** 96n - 1n)
  const bad = ['', '-1', '1.0', '1e6', ' 1', '0x10', '٣', '79228162514264337593543950336', '9'.repeat(1_000_000), 5]
  for (const given of bad) expect(baseUnits.safeParse(given).success).toBe(false)
})

test('given addresses and hashes in any case, then they are returned in lower case', () => {
  expect(address.parse(`0x${'Ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
  expect(bytes32.parse(`0x${'CD'.repeat(32)}`)).toBe(`0x${'cd'.repeat(32)}`)
  for (const bad of ['', '0x', `0X${'ab'.repeat(20)}`, `0x${'ab'.repeat(19)}`, `0x${'gg'.repeat(20)}`, 1, null]) {
    expect(address.safeParse(bad).success).toBe(false)
    expect(bytes32.safeParse(bad).success).toBe(false)
  }
})

test('given hex bytes, then they are whole and bounded', () => {
  for (const good of ['0x', '0xABcd']) expect(hexText(2).parse(good)).toBe(good)
  for (const bad of ['0xabc', '0xabcdef', 'ab', '']) expect(hexText(2).safeParse(bad).success).toBe(false)
})

test('given uuids of any version, then they are returned in lower case', () => {
  expect(uuid.parse('00000000-0000-0000-0000-0000000000AF')).toBe('00000000-0000-0000-0000-0000000000af')
  for (const bad of ['', 'x', '{00000000-0000-0000-0000-000000000000}']) expect(uuid.safeParse(bad).success).toBe(false)
})

test.each([
  [1, 3600n],
  [0.1, 360n],
  [1 / 3600, 1n],
  [1e-300, 1n],
  [0.0001, 1n],
  [24.5, 88_200n],
  [87_600, 315_360_000n],
])('given %d hours, then they are %d seconds, rounded up', (given, expected) => {
  expect(hours.parse(given)).toBe(expected)
})

test('given windows, then they are more than zero and at most ten years', () => {
  for (const bad of [0, -1, 87_600.1, 1e308, Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
    expect(hours.safeParse(bad).success).toBe(false)
  }
  expect(seconds.parse(1.2)).toBe(2n)
  expect(seconds.parse(315_360_000)).toBe(315_360_000n)
  expect(seconds.safeParse(315_360_001).success).toBe(false)
})

test('given a window above ten years, then the refusal names the unit', () => {
  expect(hours.safeParse(315_360_000).error?.message).toContain('87600: the unit is hours, not seconds')
  expect(seconds.safeParse(1_800_000_000_000).error?.message).toContain('the unit is seconds, not milliseconds')
})

test('given block times and basis points, then they are bounded whole numbers', () => {
  expect(unixSeconds.parse(2 ** 40 - 1)).toBe(2n ** 40n - 1n)
  for (const bad of [0, 1.5, 2 ** 40, 1e308, '5']) expect(unixSeconds.safeParse(bad).success).toBe(false)
  for (const good of [0, 10_000]) expect(basisPoints.parse(good)).toBe(good)
  for (const bad of [-1, 10_001, 0.5, '1']) expect(basisPoints.safeParse(bad).success).toBe(false)
})

test('given a whole number of a query, then every number that its sentence allows is accepted, and no other', () => {
  const most = Number.MAX_SAFE_INTEGER
  for (const good of [0, 1, most]) expect(queryInteger(0, most).parse(String(good))).toBe(good)
  for (const bad of [`${most + 1}`, `${most}0`, '-1', '1e3', '', ' 1']) {
    expect(queryInteger(0, most).safeParse(bad).success).toBe(false)
  }
})
