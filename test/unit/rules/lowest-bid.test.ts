import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNewLowestBid } from '../../../protocol/rules/lowest-bid.ts'

test('given a first bid, then it is the lowest', () => {
  expect(isNewLowestBid(1000n, null)).toBe(true)
})

test('given a lower bid, then it replaces the lowest; given an equal or a higher one, then not', () => {
  expect(isNewLowestBid(999n, 1000n)).toBe(true)
  expect(isNewLowestBid(1000n, 1000n)).toBe(false)
  expect(isNewLowestBid(1001n, 1000n)).toBe(false)
})

test('given any bids, then it is the first of the lowest price', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(1n, 20n), { minLength: 1 }), (prices) => {
      let lowest: { price: bigint; index: number } | null = null
      prices.forEach((price, index) => {
        if (isNewLowestBid(price, lowest?.price ?? null)) lowest = { price, index }
      })
      const least = prices.toSorted((a, b) => Number(a - b))[0]
      expect(lowest).toEqual({ price: least, index: prices.indexOf(least ?? 0n) })
    }),
  )
})
