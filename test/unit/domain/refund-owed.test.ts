import { describe, expect, test } from 'vitest'
import { type AuthorizationUse, type RefundOwed, refundOwed } from '../../../api/domain/refund-owed.ts'

const expected: [AuthorizationUse, RefundOwed, RefundOwed][] = [
  // use, of a write that is over, of a write that can still act
  ['unused', 'none', 'none'],
  ['arrived', 'refund', 'none'],
  ['spent_on_call', 'review', 'review'],
  ['refunded', 'refund', 'refund'],
  ['cancelled', 'none', 'none'],
  ['elsewhere', 'none', 'none'],
  ['unproven', 'review', 'review'],
  ['unseen', 'unknown', 'unknown'],
]

describe.each(expected)('given an authorization that is %s', (use, ofOver, ofActing) => {
  test(`when its write is over, then ${ofOver}`, () => {
    expect(refundOwed(use, { canStillAct: false })).toBe(ofOver)
  })

  test(`when its write can still act, then ${ofActing}`, () => {
    expect(refundOwed(use, { canStillAct: true })).toBe(ofActing)
  })

  test('when only the forwarder can submit it, then no refund is owed, whether its write can act or not', () => {
    const ofBound = { spent_on_call: 'review', unseen: 'unknown' }[String(use)] ?? 'none'
    for (const canStillAct of [true, false]) expect(refundOwed(use, { canStillAct, isBound: true })).toBe(ofBound)
  })
})
