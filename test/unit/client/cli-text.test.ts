import { describe, expect, test } from 'vitest'
import { cleanText, toSafeJson, toTable } from '../../../client/src/cli/text.ts'
import { toUnits } from '../../../client/src/cli/usdc.ts'
import { toUsdc } from '../../../client/src/payments/usdc-text.ts'

const hostile = [
  '\u001b[2J\u001b[1;1Happroved',
  '\u001b]8;;http://evil.example\u0007approved\u001b]8;;\u0007',
  '\u001b]0;title\u001b\\approved',
  'app\u202eroved\u2066\u2069',
  'app\u0000ro\u009bved',
  'app\u200broved\ufeff',
  'app\u{e0101}\u{e01ef}ro\u3164ved\ufe0f\u115f',
]

describe('Texts of strangers on a terminal', () => {
  test.each(hostile)('given %j, then its letters remain and nothing else', (text) => {
    expect(cleanText(text)).toBe('approved')
    expect(toTable([{ text }], 80)).toBe('text\napproved')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be absent.
    expect(toSafeJson({ text })).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/)
    expect(JSON.parse(toSafeJson({ text }))).toEqual({ text })
  })

  test('given lines, then they become one', () => {
    expect(cleanText('a\r\nb\tc')).toBe('a b c')
  })
})

describe('A table', () => {
  test('given a narrow terminal, then long texts are cut, and addresses and ids are not', () => {
    const id = `0x${'ab'.repeat(32)}`
    const [, row = ''] = toTable([{ id, description: 'x'.repeat(100), status: 'open' }], 60).split('\n')
    expect(row).toContain(id)
    expect(row).toContain('…')
    expect(row).not.toContain('x'.repeat(30))
  })
})

describe('Amounts', () => {
  test('given USDC and base units, then they are converted exactly', () => {
    for (const [usdc, units] of [
      ['1', '1000000'],
      ['1.5', '1500000'],
      ['0.000001', '1'],
      ['12345678901.25', '12345678901250000'],
    ] as const) {
      expect(toUnits(usdc)).toBe(units)
      expect(toUsdc(units)).toBe(usdc)
    }
  })

  test('given anything else, then it is refused', () => {
    for (const text of ['', '-1', '1e6', '1.0000001', '1,5', '0x1', ' 1', '.5', '1.'])
      expect(() => toUnits(text), text).toThrow()
  })
})
