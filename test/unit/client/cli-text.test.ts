import { describe, expect, test } from 'vitest'
import { cleanText, shortTime, toSafeJson, toTable } from '../../../client/src/cli/text.ts'
import { showUnits, toUnits } from '../../../client/src/cli/usdc.ts'
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

describe('A table of numbers, times and ids', () => {
  const rows = [
    {
      id: '0x12ab…abcd',
      status: 'reverse_dutch_open',
      available: '123456789012345678901234567890.5',
      expires: '2026-01-02 03:04:05Z',
      description: 'x'.repeat(200),
    },
    {
      id: '0x12ab…abce',
      status: 'open',
      available: '7 base units',
      expires: '2026-01-02T03:04:05.678Z',
      description: 'short',
    },
  ]

  test.each([20, 60, 80, 120, 200])('given a terminal of %i columns, then only texts are cut', (width) => {
    const [head = '', ...lines] = toTable(rows, width).split('\n')
    expect(head.split(/ +/)).toEqual(['id', 'status', 'available', 'expires', 'description'])
    const key = crypto.randomUUID()
    expect(toTable([{ key, a: 'x'.repeat(90), b: 'x'.repeat(90) }], width)).toContain(key)
    for (const [at, { id, available, expires }] of rows.entries()) {
      for (const value of [id, available, expires]) expect(lines[at]).toContain(value)
    }
    expect(lines[0]).toContain('…')
    expect(lines[0]).not.toContain(rows[0]?.description)
  })

  test('given a narrow text beside a wide one, then the narrow one is whole, and a line fits', () => {
    const lines = toTable(rows, 140).split('\n')
    expect(lines[1]).toContain('reverse_dutch_open')
    expect(Math.max(...lines.map((line) => line.length))).toBe(140)
  })

  test('given a time, then it is shown to the second where that is exact', () => {
    expect(shortTime('2026-01-02T03:04:05.000Z')).toBe('2026-01-02 03:04:05Z')
    for (const other of ['2026-01-02T03:04:05.678Z', 'x', 5, null]) expect(shortTime(other)).toBe(other)
  })

  test('given base units of a token, then they are a number by its decimals, or named as base units', () => {
    expect(showUnits('1500', 3)).toBe('1.5')
    expect(showUnits('7', 18)).toBe('0.000000000000000007')
    expect(showUnits('7', 0)).toBe('7')
    expect(showUnits('7', undefined)).toBe('7 base units')
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
