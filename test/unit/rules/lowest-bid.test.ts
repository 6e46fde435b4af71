import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNewLowestBid } from '../../../protocol/rules/lowest-bid.ts'

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
