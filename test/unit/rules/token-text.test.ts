import fc from 'fast-check'
import { stringToHex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { toTokenText } from '../../../protocol/rules/token-text.ts'

describe('toTokenText', () => {
  test('given a text, then it is unchanged', () => {
    expect(toTokenText(stringToHex('Gold Coin é 金 🪙'), true)).toBe('Gold Coin é 金 🪙')
  })

  test('given no answer, then null', () => {
    expect(toTokenText('0x', false)).toBeNull()
  })

  test('given bytes that are not UTF-8, then they are replaced', () => {
    expect(toTokenText('0x41ff42', true)).toBe('A\ufffdB')
    expect(toTokenText('0xe282', true)).toBe('\ufffd')
    // A surrogate has no UTF-8.
    expect(toTokenText('0xeda080', true)).toBe('\ufffd\ufffd\ufffd')
  })

  test('given NUL, which Postgres cannot hold, then it is replaced', () => {
    expect(toTokenText(stringToHex('A\0B'), true)).toBe('A\ufffdB')
  })

  test.each([
    ['a byte order mark', '\ufeff'],
    ['an escape sequence of terminals', '\x1b'],
    ['a line end', '\n'],
    ['another line end', '\u2028'],
    ['a direction that is turned', '\u202e'],
    ['an isolate', '\u2066'],
    ['a character of no width', '\u200b'],
    ['a character of private use', '\ue000'],
    ['a character that is none', '\ufdd0'],
  ])('given %s, then it is replaced', (_, character) => {
    expect(toTokenText(stringToHex(`US${character}DC`), true)).toBe('US\ufffdDC')
  })

  test('given markup, then it is unchanged: JSON carries it, and a page has to escape every text', () => {
    expect(toTokenText(stringToHex('<b>"USDC"</b>'), true)).toBe('<b>"USDC"</b>')
  })

  test('given a long text, then its first 32 characters', () => {
    expect(toTokenText(stringToHex('x'.repeat(64)), true)).toBe('x'.repeat(32))
    expect(toTokenText(stringToHex('🪙'.repeat(16)), true)).toBe('🪙'.repeat(16))
  })

  test('given any bytes, then at most 32 printable characters', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const text = toTokenText(toHex(bytes), true) ?? ''
        expect([...text].length).toBeLessThanOrEqual(32)
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
      }),
    )
  })
})
