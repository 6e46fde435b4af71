import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countEnding, reputationKinds, toReputationKind } from '../../../src/rules/reputation.ts'

const zero = {
  tasksCompleted: 0,
  selfAwards: 0,
  cancelledAfterSubmissions: 0,
  expiredNoAction: 0,
  expiredAfterRejections: 0,
}

describe('the contract reputation enum', () => {
  test.each(reputationKinds.map((kind, index) => [index, kind] as const))('value %i is %s', (value, kind) => {
    expect(toReputationKind(value)).toBe(kind)
  })

  // In the order of TaskTypes.sol.
  test('its values are these', () => {
    expect(reputationKinds).toEqual([
      ...['completed', 'cancelled', 'cancelled_after_submissions', 'expired_no_action', 'expired_after_rejections'],
      ...['stale', 'expired_undelivered', 'rejected_by_verdict'],
    ])
  })

  test('a value beyond it is refused', () => {
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
    ['stale', {}],
    // The worker's silence and the evaluator's decision are not the requester's.
    ['expired_undelivered', {}],
    ['rejected_by_verdict', {}],
  ] as const)('a task that ended %s counts %j', (kind, change) => {
    expect(countEnding(zero, { kind, selfAward: false })).toEqual({ ...zero, ...change })
  })

  test('an award to oneself is counted beside the completion', () => {
    expect(countEnding(zero, { kind: 'completed', selfAward: true })).toEqual({
      ...zero,
      tasksCompleted: 1,
      selfAwards: 1,
    })
  })

  test('each counter is the number of endings of its kind, whatever their order', () => {
    const endings = fc.array(fc.record({ kind: fc.constantFrom(...reputationKinds), selfAward: fc.boolean() }))
    fc.assert(
      fc.property(endings, (list) => {
        const count = (kind: string) => list.filter((ending) => ending.kind === kind).length
        expect(list.reduce(countEnding, zero)).toEqual({
          tasksCompleted: count('completed'),
          selfAwards: list.filter((ending) => ending.selfAward).length,
          cancelledAfterSubmissions: count('cancelled_after_submissions'),
          expiredNoAction: count('expired_no_action'),
          expiredAfterRejections: count('expired_after_rejections'),
        })
      }),
    )
  })
})
