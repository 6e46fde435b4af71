import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNewLowestBid } from '../../../src/rules/lowest-bid.ts'

test('the first bid is the lowest', () => {
  expect(isNewLowestBid(1000n, null)).toBe(true)
})

test('a lower bid takes its place, an equal one comes too late, a higher one changes nothing', () => {
  expect(isNewLowestBid(999n, 1000n)).toBe(true)
  expect(isNewLowestBid(1000n, 1000n)).toBe(false)
  expect(isNewLowestBid(1001n, 1000n)).toBe(false)
})

test('of any bids, the first of the lowest price is left', () => {
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
