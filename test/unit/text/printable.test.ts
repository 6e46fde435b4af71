import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeHidden } from '../../../api/text/escape-hidden.ts'
import { toPrintable } from '../../../api/text/printable.ts'

describe('a printable text', () => {
  test.each([
    ['an ANSI colour', 'a\u001b[31mred', 'a\uFFFD[31mred'],
    ['a C1 control sequence', 'a\u009b31mred', 'a\uFFFD31mred'],
    ['a line break', 'one\r\ntwo', 'one\uFFFD\uFFFDtwo'],
    ['a line separator', 'one\u2028two\u2029three', 'one\uFFFDtwo\uFFFDthree'],
    ['a right-to-left override', 'cod.\u202Eexe', 'cod.\uFFFDexe'],
    ['a bidi isolate and a zero width space', '\u2066a\u2069\u200Bb', '\uFFFDa\uFFFD\uFFFDb'],
    ['NUL and DEL', 'a\u0000b\u007f', 'a\uFFFDb\uFFFD'],
    ['tag characters and musical formats', 'a\u{e0041}\u{1d173}b', 'a\uFFFD\uFFFDb'],
    ['a tab', 'a\tb', 'a\uFFFDb'],
    ['a lone surrogate', 'a\uD800b', 'a\uFFFDb'],
  ])('given %s, then it is replaced', (_name, text, expected) => {
    expect(toPrintable(text, 100)).toBe(expected)
  })

  test('given letters, marks and symbols of any script, then they are not changed', () => {
    for (const text of ['Zahlung über 5 €', '支払い', 'الدفع', 'a’s “b” – ok 👍', '👩‍👩‍👧 नि'])
      expect(toPrintable(text, 100)).toBe(text)
  })

  test('given a long text, then it is cut and marked', () => {
    expect(toPrintable('abcdef', 6)).toBe('abcdef')
    expect(toPrintable('abcdefg', 6)).toBe('abcdef…')
  })

  test('given any text, then it is well-formed, one line, bounded, and its own printable form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, most) => {
        const printable = toPrintable(text, most)
        expect(printable.length).toBeLessThanOrEqual(most + 1)
        expect(printable).not.toMatch(/[\p{Cs}\p{Cc}\p{Zl}\p{Zp}]/u)
        expect(escapeHidden(printable)).toBe(printable)
        expect(toPrintable(printable, most + 1)).toBe(printable)
      }),
    )
  })
})
