import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toVisibleText } from '../../../../api/domain/artifacts/visible-text.ts'

const MAX = 500

describe('foreign text', () => {
  test.each([
    ['of plain lines', 'a\n\tb — 二 🦀 é', 'a\n\tb — 二 🦀 é'],
    ['with line ends of Windows', 'a\r\nb\r\n', 'a\nb\n'],
    ['that overwrites its own line', 'rm -rf /\recho hello', 'rm -rf /\\u000decho hello'],
    ['with terminal controls', '\u001b[2J\u009b31m\u0007\u007f', '\\u001b[2J\\u009b31m\\u0007\\u007f'],
    ['that changes its direction', 'invoice\u202efdp.exe', 'invoice\\u202efdp.exe'],
    [
      'with isolates and marks',
      '\u2066\u2067\u2068\u2069\u200e\u200f\u061c',
      '\\u2066\\u2067\\u2068\\u2069\\u200e\\u200f\\u061c',
    ],
    ['with invisible letters', 'a\u200bb\u00adc\ufeffd\u2060e\u3164f', 'a\\u200bb\\u00adc\\ufeffd\\u2060e\\u3164f'],
    ['with a hidden text inside', 'hi\u{e0041}\u{e0042}\u{e0100}', 'hi\\u{e0041}\\u{e0042}\\u{e0100}'],
    ['with separators that break lines in scripts', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['of words and signs that need joiners', 'نمی\u200cخواهم 👩\u200d🔧 ❤\ufe0f', 'نمی\u200cخواهم 👩\u200d🔧 ❤\ufe0f'],
    ['of markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['without characters', '', ''],
  ])('given a text %s, then its visible form is this', (_name, text, visible) => {
    expect(toVisibleText(text, MAX)).toBe(visible)
  })

  test('given any, then it is bounded, has no invisible characters, and is its own visible form', () => {
    const hidden = fc.constantFrom('\u202e', '\u0000', '\u001b', '\u{e0041}', '\r', '\u0085', '\ufeff', '\u200f')
    const texts = fc
      .array(fc.oneof(fc.string({ unit: 'binary' }), hidden), { maxLength: 60 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 40 }), (text, max) => {
        const visible = toVisibleText(text, max)
        expect([...visible].length).toBeLessThanOrEqual(max)
        expect(visible).not.toMatch(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(toVisibleText(visible, max)).toBe(visible)
        // Its end is reached before any limit.
        expect(toVisibleText(text, 10_000).startsWith(visible)).toBe(true)
      }),
    )
  })

  test('given an escape that does not fit, then the text is cut before it', () => {
    expect(toVisibleText('aaaa\u202eb', 9)).toBe('aaaa')
    expect(toVisibleText('aaaa\u202eb', 10)).toBe('aaaa\\u202e')
    expect(toVisibleText('\u202e'.repeat(1000), 500)).toBe('\\u202e'.repeat(83))
  })
})
