import { zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { toAwardedDeliverable } from '../../../src/rules/awarded-deliverable.ts'

const named = `0x${'11'.repeat(32)}` as const
const latest = `0x${'22'.repeat(32)}` as const

test('an award that names its deliverable was given for that one', () => {
  expect(toAwardedDeliverable(named, latest)).toBe(named)
})

test('an award of a verdict in a contest stands for the latest submission', () => {
  expect(toAwardedDeliverable(zeroHash, latest)).toBe(latest)
})

test('an award for nothing is refused: the market awards nobody who submitted nothing', () => {
  expect(() => toAwardedDeliverable(zeroHash, null)).toThrow('no deliverable')
})
