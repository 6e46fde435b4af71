import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listReferenceCodes } from '../../../protocol/rules/reference-code.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const anyId = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)

describe('a reference code', () => {
  test.each([
    [`0x${'00'.repeat(32)}`, 'TSK-00000000'],
    [`0x${'ff'.repeat(32)}`, 'TSK-ZZZZZZZZ'],
    // In groups of five bits: 00001 00010 00011 00100 00101 00110 00111 01000.
    [`0x08864298e8${'00'.repeat(27)}`, 'TSK-12345678'],
  ] as const)('given %s, then it is %s', (id, code) => {
    expect(listReferenceCodes('task', id)[0]).toBe(code)
  })

  test('given its kind, then it names it', () => {
    expect(listReferenceCodes('submission', `0x${'00'.repeat(32)}`)[0]).toBe('SUB-00000000')
  })

  test('given collisions, then it grows by one character at a time, from 8 to the 52 of the whole id', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const codes = listReferenceCodes('task', id)
        expect(codes.map((code) => code.length - 'TSK-'.length)).toEqual(Array.from({ length: 45 }, (_, i) => i + 8))
        const longest = codes.at(-1) ?? ''
        expect(codes.every((code) => longest.startsWith(code))).toBe(true)
      }),
    )
  })

  test('given an id, then it has its bits, from the left, the last character filled up with zeros', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const characters = (listReferenceCodes('task', id).at(-1) ?? '').slice('TSK-'.length)
        const bits = [...characters]
          .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
          .join('')
        expect(bits).toBe(`${BigInt(id).toString(2).padStart(256, '0')}0000`)
      }),
    )
  })

  test('given two different ids, then their longest codes differ', () => {
    fc.assert(
      fc.property(anyId, fc.integer({ min: 0, max: 255 }), (id, bit) => {
        const other = `0x${(BigInt(id) ^ (1n << BigInt(bit))).toString(16).padStart(64, '0')}` as const
        expect(listReferenceCodes('task', other).at(-1)).not.toBe(listReferenceCodes('task', id).at(-1))
      }),
    )
  })
})
