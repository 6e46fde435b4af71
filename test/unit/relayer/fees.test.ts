import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bumpedFees, gasLimitFor, isUnderpriced } from '../../../api/relayer/transactions/fees.ts'

const fee = fc.bigInt(0n, 2n ** 72n)
const fees = fc.record({ maxFeePerGas: fee, maxPriorityFeePerGas: fee })
const both = ['maxFeePerGas', 'maxPriorityFeePerGas'] as const

test('given any fees, then those of a replacement are the least that a node takes, or the current ones if higher', () => {
  fc.assert(
    fc.property(fees, fees, (replaced, current) => {
      const bumped = bumpedFees(replaced, current)
      for (const each of both) {
        const isEnough = (offer: bigint) => offer * 8n >= replaced[each] * 9n && offer >= current[each]
        expect([bumped[each] - 1n, bumped[each]].map(isEnough)).toEqual([false, true])
      }
      expect(isUnderpriced(bumped, current)).toBe(false)
    }),
  )
})

test('given fees of which one is below the current, then they are underpriced', () => {
  const current = { maxFeePerGas: 10n, maxPriorityFeePerGas: 2n }
  expect(isUnderpriced(current, current)).toBe(false)
  for (const each of both) expect(isUnderpriced({ ...current, [each]: current[each] - 1n }, current)).toBe(true)
})

test('given an estimate, then the limit is a quarter above it', () => {
  expect([0n, 3n, 4n, 100_000n].map(gasLimitFor)).toEqual([0n, 3n, 5n, 125_000n])
})
