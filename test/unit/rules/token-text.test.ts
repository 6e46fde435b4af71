import { stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { toTokenText } from '../../../src/rules/token-text.ts'

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

  test('given a byte order mark, then it is kept', () => {
    expect(toTokenText('0xefbbbf41', true)).toBe('\ufeffA')
  })
})
