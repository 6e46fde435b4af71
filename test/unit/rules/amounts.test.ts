import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeFrom } from '../../../protocol/rules/amounts.ts'

const amount = fc.bigInt({ min: 0n, max: 2n ** 96n })

test('given any amounts, then the part taken and the rest sum to the whole', () => {
  fc.assert(
    fc.property(amount, amount, (left, taken) => {
      expect(takeFrom(left + taken, taken)).toBe(left)
    }),
  )
})

test('given more than the whole, then it is refused', () => {
  fc.assert(
    fc.property(amount, fc.bigInt({ min: 1n, max: 2n ** 96n }), (held, beyond) => {
      expect(() => takeFrom(held, held + beyond)).toThrow(`${held + beyond} base units taken from ${held}`)
    }),
  )
})

test('given all of it, then nothing is left', () => {
  expect(takeFrom(7n, 7n)).toBe(0n)
})
