import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeFrom } from '../../../src/rules/amounts.ts'

const amount = fc.bigInt({ min: 0n, max: 2n ** 96n })

test('what is taken and what is left make up what was held', () => {
  fc.assert(
    fc.property(amount, amount, (left, taken) => {
      expect(takeFrom(left + taken, taken)).toBe(left)
    }),
  )
})

test('more than is held cannot be taken', () => {
  fc.assert(
    fc.property(amount, fc.bigInt({ min: 1n, max: 2n ** 96n }), (held, beyond) => {
      expect(() => takeFrom(held, held + beyond)).toThrow(`${held + beyond} base units taken from ${held}`)
    }),
  )
})
