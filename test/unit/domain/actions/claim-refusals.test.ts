import { describe, expect, test } from 'vitest'
import type { ActionArgs } from '../../../../api/domain/actions/action-rules.ts'
import { admit, admitBy } from '../../../../api/domain/actions/admit.ts'
import { objectToDelivery } from '../../../../api/domain/actions/object.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { termsHashOf } from '../../../../protocol/terms-hash.ts'
import { aClaim, alice, aSnapshot, bob, carol, EXPIRY, requester, stranger } from '../../../support/task-snapshots.ts'

const [before, after] = [EXPIRY - 1n, EXPIRY]

function refusalOf<Action extends keyof ActionArgs>(
  action: Action,
  task: TaskSnapshot,
  request: { actor?: `0x${string}` | null; now?: bigint; args: ActionArgs[Action] },
) {
  return admit(action, task, { actor: null, now: before, ...request })
}

describe('claim', () => {
  const open = aClaim('open')

  test('given any worker who pays, then it is admitted', () => {
    expect(refusalOf('claim', open, { args: { worker: bob } })).toBeNull()
    expect(refusalOf('claim', open, { actor: bob, args: { worker: bob } })).toBeNull()
    expect(refusalOf('claim', open, { actor: stranger, args: { worker: bob } })).toMatchObject({
      status: 403,
      failure: 'payer_mismatch',
      payerMismatch: true,
    })
  })

  test('given the evaluator or the resolver, then it is refused', () => {
    const evaluated = aClaim('open', { evaluator: bob, disputeResolver: carol })
    for (const worker of [bob, carol]) {
      expect(refusalOf('claim', evaluated, { args: { worker } })).toMatchObject({
        status: 403,
        failure: 'judge_cannot_enter',
      })
    }
  })

  test('given the current terms or none, then it is admitted; given others, then refused', () => {
    const present = termsHashOf(open) ?? expect.fail('no terms')
    expect(refusalOf('claim', open, { args: { worker: bob, termsHash: present } })).toBeNull()
    const changed = { ...open, reward: open.reward + 1n }
    expect(refusalOf('claim', changed, { args: { worker: bob, termsHash: present } })).toMatchObject({
      status: 409,
      failure: 'terms_changed',
      field: 'termsHash',
    })
  })

  test('given the expiry, another claim or a pause, then it is refused', () => {
    const args = { worker: bob }
    expect(refusalOf('claim', open, { now: after, args })).toMatchObject({ status: 409, failure: 'deadline_passed' })
    expect(refusalOf('claim', aClaim('claimed'), { args })).toMatchObject({ status: 409, failure: 'wrong_state' })
    expect(refusalOf('claim', aClaim('open', { entriesPaused: true }), { args })).toMatchObject({
      status: 409,
      failure: 'market_paused',
    })
    expect(refusalOf('claim', aSnapshot(), { args })).toMatchObject({ status: 409, failure: 'wrong_mode' })
  })
})

describe('the terms of a claim', () => {
  const task = aClaim('open')

  test.each<[string, Partial<TaskSnapshot>]>([
    ['the reward', { reward: task.reward - 1n }],
    ['the expiry', { expiryTime: task.expiryTime - 1n }],
    ['the stake', { stakeBps: 1001 }],
    ['the tags', { tagHashes: [`0x${'11'.repeat(32)}`] }],
    ['the evaluator', { evaluator: bob }],
    ['its fee', { evaluatorFeeBps: 1 }],
    ['its window', { evaluationWindow: 1n }],
    ['the time to appeal', { appealWindow: 1n }],
    ['the resolver', { disputeResolver: bob }],
    ['the hooks', { hookSet: `0x${'22'.repeat(32)}` }],
    ['the mode', { mode: 'bounty' }],
  ])('given %s, then they are changed', (_name, facts) => {
    expect(termsHashOf({ ...task, ...facts })).not.toBe(termsHashOf(task))
  })

  test('given a mode that this version does not support, then there are none', () => {
    expect(termsHashOf({ ...task, mode: 'unknown' })).toBeNull()
    expect(termsHashOf({ ...task, mode: 'auction', auctionType: 'unknown' })).toBeNull()
  })
})

describe('submit', () => {
  test('given the worker who claimed, then it is admitted until the expiry', () => {
    const claimed = aClaim('claimed')
    expect(refusalOf('submit', claimed, { actor: alice, args: { worker: alice } })).toBeNull()
    expect(refusalOf('submit', claimed, { args: { worker: bob } })).toMatchObject({
      status: 403,
      failure: 'not_worker',
    })
    expect(refusalOf('submit', claimed, { now: after, args: { worker: alice } })).toMatchObject({
      failure: 'deadline_passed',
    })
    expect(refusalOf('submit', aClaim('open'), { args: { worker: alice } })).toMatchObject({ failure: 'wrong_state' })
    expect(refusalOf('submit', aClaim('pending_approval'), { args: { worker: alice } })).toMatchObject({
      failure: 'wrong_state',
    })
  })
})

describe('forfeit', () => {
  test('given a claim without a delivery, then it is admitted to the requester from the expiry on', () => {
    const claimed = aClaim('claimed')
    expect(refusalOf('forfeit', claimed, { actor: requester, now: after, args: {} })).toBeNull()
    expect(refusalOf('forfeit', claimed, { actor: requester, args: {} })).toMatchObject({ failure: 'too_early' })
    expect(refusalOf('forfeit', claimed, { actor: alice, now: after, args: {} })).toMatchObject({ status: 403 })
    for (const status of ['open', 'pending_approval', 'expired'] as const) {
      expect(refusalOf('forfeit', aClaim(status), { now: after, args: {} })).toMatchObject({ failure: 'wrong_state' })
    }
  })
})

describe('accept', () => {
  test('given a delivery, then its worker is paid, at any time', () => {
    const delivered = aClaim('pending_approval')
    for (const now of [before, after]) {
      expect(refusalOf('accept', delivered, { actor: requester, now, args: { worker: alice } })).toBeNull()
    }
    expect(refusalOf('accept', delivered, { args: { worker: bob } })).toMatchObject({ failure: 'no_active_submission' })
    expect(refusalOf('accept', aClaim('claimed'), { args: { worker: alice } })).toMatchObject({
      failure: 'wrong_state',
    })
  })

  test.each(['reject_submission', 'accept_submissions'] as const)(
    'given %s, then it is refused: it is for contests',
    (action) => {
      const args = { worker: alice, winners: [{ worker: alice, shareBps: 10_000 }] }
      expect(refusalOf(action, aClaim('pending_approval'), { args })).toMatchObject({
        status: 409,
        failure: 'wrong_mode',
      })
    },
  )
})

describe('an objection', () => {
  const object = (task: TaskSnapshot, actor = requester) =>
    admitBy(objectToDelivery, task, { actor, now: after, args: {} })

  test('given a delivery, then the requester may object once', () => {
    expect(object(aClaim('pending_approval'))).toBeNull()
    expect(object(aClaim('pending_approval'), alice)).toMatchObject({ status: 403 })
    expect(object(aClaim('pending_approval', { objected: true }))).toMatchObject({ failure: 'already_objected' })
    expect(object(aClaim('claimed'))).toMatchObject({ status: 409, failure: 'wrong_state' })
    expect(object(aSnapshot())).toMatchObject({ status: 409, failure: 'wrong_mode' })
  })
})
