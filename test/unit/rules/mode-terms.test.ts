import { describe, expect, test } from 'vitest'
import { toModeTerms } from '../../../protocol/rules/mode-terms.ts'
import { auctionTypes } from '../../../protocol/rules/selectors.ts'

const logged = { pitchDeadline: 11, bidDeadline: 22, clockPrice: 33n }
const none = { pitchDeadline: null, bidDeadline: null, clockPrice: null }

describe('terms that only some modes have', () => {
  test.each(['bounty', 'claim', 'benchmark', 'unknown'] as const)('given %s, then it has none of them', (mode) => {
    expect(toModeTerms({ mode, auctionType: null }, logged)).toEqual(none)
  })

  test('given pitch, then it has a pitch deadline', () => {
    expect(toModeTerms({ mode: 'pitch', auctionType: null }, logged)).toEqual({ ...none, pitchDeadline: 11n })
  })

  test.each(auctionTypes)(
    'given %s, then it has a bid deadline, and a clock price where a clock runs',
    (auctionType) => {
      const clockPrice = auctionType.endsWith('dutch') ? 33n : null
      expect(toModeTerms({ mode: 'auction', auctionType }, logged)).toEqual({ ...none, bidDeadline: 22n, clockPrice })
    },
  )

  test('given an auction of an unknown subtype, then it has a bid deadline only', () => {
    expect(toModeTerms({ mode: 'auction', auctionType: 'unknown' }, logged)).toEqual({ ...none, bidDeadline: 22n })
  })
})
