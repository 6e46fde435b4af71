import { zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { toAwardedDeliverable } from '../../../protocol/rules/awarded-deliverable.ts'

const named = `0x${'11'.repeat(32)}` as const
const latest = `0x${'22'.repeat(32)}` as const

test('given an award that names its deliverable, then it is that one', () => {
  expect(toAwardedDeliverable(named, latest)).toBe(named)
})

test('given an award of a verdict in a contest, then it is the latest submission', () => {
  expect(toAwardedDeliverable(zeroHash, latest)).toBe(latest)
})

test('given an award without a submission, then it throws: the market awards no worker without one', () => {
  expect(() => toAwardedDeliverable(zeroHash, null)).toThrow('no deliverable')
})
