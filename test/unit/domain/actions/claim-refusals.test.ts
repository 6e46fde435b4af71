import { describe, expect, test } from 'vitest'
import type { ActionArgs } from '../../../../api/domain/actions/action-rules.ts'
import { admit, admitBy } from '../../../../api/domain/actions/admit.ts'
import { objectToDelivery } from '../../../../api/domain/actions/object.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { termsHashOf } from '../../../../api/domain/terms-hash.ts'
import { aClaim, alice, aSnapshot, bob, carol, EXPIRY, requester, stranger } from '../../../support/task-snapshots.ts'

const [before, after] = [EXPIRY - 1n, EXPIRY]

function judge<Action extends keyof ActionArgs>(
  action: Action,
  task: TaskSnapshot,
  request: { actor?: `0x${string}` | null; now?: bigint; args: ActionArgs[Action] },
) {
  return admit(action, task, { actor: null, now: before, ...request })
}

describe('claim', () => {
  const open = aClaim('open')

  test('is for any worker who pays it himself', () => {
    expect(judge('claim', open, { args: { worker: bob } })).toBeNull()
    expect(judge('claim', open, { actor: bob, args: { worker: bob } })).toBeNull()
    expect(judge('claim', open, { actor: stranger, args: { worker: bob } })).toMatchObject({
      status: 403,
      failure: 'payer_mismatch',
      payerMismatch: true,
    })
  })

  test('is not for who judges the task', () => {
    const judged = aClaim('open', { evaluator: bob, disputeResolver: carol })
    for (const worker of [bob, carol]) {
      expect(judge('claim', judged, { args: { worker } })).toMatchObject({ status: 403, failure: 'judge_cannot_enter' })
    }
  })

  test('on the terms as they are, or on none in particular; not on others', () => {
    const present = termsHashOf(open) ?? expect.fail('no terms')
    expect(judge('claim', open, { args: { worker: bob, termsHash: present } })).toBeNull()
    const changed = { ...open, reward: open.reward + 1n }
    expect(judge('claim', changed, { args: { worker: bob, termsHash: present } })).toMatchObject({
      status: 409,
      failure: 'terms_changed',
      field: 'termsHash',
    })
  })

  test('ends at the expiry, at another claim and at a pause', () => {
    const args = { worker: bob }
    expect(judge('claim', open, { now: after, args })).toMatchObject({ status: 409, failure: 'too_late' })
    expect(judge('claim', aClaim('claimed'), { args })).toMatchObject({ status: 409, failure: 'wrong_status' })
    expect(judge('claim', aClaim('open', { entriesPaused: true }), { args })).toMatchObject({
      status: 409,
      failure: 'market_paused',
    })
    expect(judge('claim', aSnapshot(), { args })).toMatchObject({ status: 409, failure: 'wrong_mode' })
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
  ])('change with %s', (_name, facts) => {
    expect(termsHashOf({ ...task, ...facts })).not.toBe(termsHashOf(task))
  })

  test('of a mode this version does not know are nothing', () => {
    expect(termsHashOf({ ...task, mode: 'unknown' })).toBeNull()
    expect(termsHashOf({ ...task, mode: 'auction', auctionType: 'unknown' })).toBeNull()
  })
})

describe('submit', () => {
  test('is for the worker who claimed, until the expiry', () => {
    const claimed = aClaim('claimed')
    expect(judge('submit', claimed, { actor: alice, args: { worker: alice } })).toBeNull()
    expect(judge('submit', claimed, { args: { worker: bob } })).toMatchObject({ status: 403, failure: 'role_required' })
    expect(judge('submit', claimed, { now: after, args: { worker: alice } })).toMatchObject({ failure: 'too_late' })
    expect(judge('submit', aClaim('open'), { args: { worker: alice } })).toMatchObject({ failure: 'wrong_status' })
    expect(judge('submit', aClaim('pending_approval'), { args: { worker: alice } })).toMatchObject({
      failure: 'wrong_status',
    })
  })
})

describe('forfeit', () => {
  test('is for the requester, of a claim nobody delivered, from the expiry on', () => {
    const claimed = aClaim('claimed')
    expect(judge('forfeit', claimed, { actor: requester, now: after, args: {} })).toBeNull()
    expect(judge('forfeit', claimed, { actor: requester, args: {} })).toMatchObject({ failure: 'too_early' })
    expect(judge('forfeit', claimed, { actor: alice, now: after, args: {} })).toMatchObject({ status: 403 })
    for (const status of ['open', 'pending_approval', 'expired'] as const) {
      expect(judge('forfeit', aClaim(status), { now: after, args: {} })).toMatchObject({ failure: 'wrong_status' })
    }
  })
})

describe('accept', () => {
  test('pays the worker who delivered, at any time', () => {
    const delivered = aClaim('pending_approval')
    for (const now of [before, after]) {
      expect(judge('accept', delivered, { actor: requester, now, args: { worker: alice } })).toBeNull()
    }
    expect(judge('accept', delivered, { args: { worker: bob } })).toMatchObject({ failure: 'no_active_submission' })
    expect(judge('accept', aClaim('claimed'), { args: { worker: alice } })).toMatchObject({ failure: 'wrong_status' })
  })

  test.each(['reject_submission', 'accept_submissions'] as const)('and %s is for contests', (action) => {
    const args = { worker: alice, winners: [{ worker: alice, shareBps: 10_000 }] }
    expect(judge(action, aClaim('pending_approval'), { args })).toMatchObject({ status: 409, failure: 'wrong_mode' })
  })
})

describe('an objection', () => {
  const object = (task: TaskSnapshot, actor = requester) =>
    admitBy(objectToDelivery, task, { actor, now: after, args: {} })

  test('is the requester’s, once, against a delivery', () => {
    expect(object(aClaim('pending_approval'))).toBeNull()
    expect(object(aClaim('pending_approval'), alice)).toMatchObject({ status: 403 })
    expect(object(aClaim('pending_approval', { objected: true }))).toMatchObject({ failure: 'already_objected' })
    expect(object(aClaim('claimed'))).toMatchObject({ status: 409, failure: 'wrong_status' })
    expect(object(aSnapshot())).toMatchObject({ status: 409, failure: 'wrong_mode' })
  })
})
