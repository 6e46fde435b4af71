import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countEnding,
  hasUndeliveredEntry,
  reputationKinds,
  toReputationKind,
} from '../../../protocol/rules/reputation.ts'

const zero = {
  tasksCompleted: 0,
  selfAwards: 0,
  cancelledAfterSubmissions: 0,
  expiredNoAction: 0,
  expiredAfterRejections: 0,
  staleTasks: 0,
  undeliveredAuctions: 0,
}

describe('the contract reputation enum', () => {
  test.each(reputationKinds.map((kind, index) => [index, kind] as const))(
    'given the value %i, then it is %s',
    (value, kind) => {
      expect(toReputationKind(value)).toBe(kind)
    },
  )

  // In the order of TaskTypes.sol.
  test('given its values, then they are these', () => {
    expect(reputationKinds).toEqual([
      'completed',
      'cancelled',
      'cancelled_after_submissions',
      'expired_no_action',
      'expired_after_rejections',
      'stale',
      'expired_undelivered',
      'rejected_by_verdict',
    ])
  })

  test('given a value beyond it, then it is refused', () => {
    expect(() => toReputationKind(reputationKinds.length)).toThrow('8')
  })
})

describe('the record of a requester', () => {
  test.each([
    ['completed', { tasksCompleted: 1 }],
    ['cancelled', {}],
    ['cancelled_after_submissions', { cancelledAfterSubmissions: 1 }],
    ['expired_no_action', { expiredNoAction: 1 }],
    ['expired_after_rejections', { expiredAfterRejections: 1 }],
    ['stale', { staleTasks: 1 }],
    // The worker's inaction and the evaluator's decision are not the requester's.
    ['expired_undelivered', {}],
    ['rejected_by_verdict', {}],
  ] as const)('given a task that ended %s, then it counts %j', (kind, change) => {
    expect(countEnding(zero, { kind, selfAward: false, isUndeliveredAuction: false })).toEqual({ ...zero, ...change })
  })

  test('given an award to oneself, then it is counted beside the completion', () => {
    expect(countEnding(zero, { kind: 'completed', selfAward: true, isUndeliveredAuction: false })).toEqual({
      ...zero,
      tasksCompleted: 1,
      selfAwards: 1,
    })
  })

  test('given any order of endings, then each counter is the number of its kind', () => {
    const endings = fc.array(
      fc.record({
        kind: fc.constantFrom(...reputationKinds),
        selfAward: fc.boolean(),
        isUndeliveredAuction: fc.boolean(),
      }),
    )
    fc.assert(
      fc.property(endings, (list) => {
        const count = (kind: string) => list.filter((ending) => ending.kind === kind).length
        expect(list.reduce(countEnding, zero)).toEqual({
          tasksCompleted: count('completed'),
          selfAwards: list.filter((ending) => ending.selfAward).length,
          cancelledAfterSubmissions: count('cancelled_after_submissions'),
          expiredNoAction: count('expired_no_action'),
          expiredAfterRejections: count('expired_after_rejections'),
          staleTasks: count('stale'),
          undeliveredAuctions: list.filter((ending) => ending.isUndeliveredAuction).length,
        })
      }),
    )
  })
})

describe('an undelivered auction', () => {
  test.each([
    ['an assigned worker who did not deliver', 'expired_undelivered', { mode: 'auction', bidCount: 1 }, true],
    ['an accepted clock price without a delivery', 'expired_undelivered', { mode: 'auction', bidCount: 0 }, true],
    ['bids of which none was selected in time', 'expired_no_action', { mode: 'auction', bidCount: 2 }, true],
    ['no bid at all', 'expired_no_action', { mode: 'auction', bidCount: 0 }, false],
    ['a delivery', 'completed', { mode: 'auction', bidCount: 2 }, false],
    ['a delivery without an answer', 'stale', { mode: 'auction', bidCount: 2 }, false],
    ['an undelivered claim', 'expired_undelivered', { mode: 'claim', bidCount: 0 }, false],
  ] as const)('given %s', (_name, kind, task, expected) => {
    expect(hasUndeliveredEntry(kind, task)).toBe(expected)
  })
})
