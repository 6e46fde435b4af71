import { describe, expect, test } from 'vitest'
import type { ActionArgs } from '../../../../api/domain/actions/action-rules.ts'
import { admit } from '../../../../api/domain/actions/admit.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import { taskStatuses } from '../../../../protocol/rules/task-status.ts'
import { aContest, alice, aSnapshot, bob, EXPIRY, requester, stranger } from '../../../support/task-snapshots.ts'

const before = EXPIRY - 1n
const after = EXPIRY + 1n
const contested = aContest({ [alice]: 'standing', [bob]: 'rejected' })

describe('submit', () => {
  const submit = (worker: `0x${string}`, actor: `0x${string}` | null, now = before) =>
    admit('submit', contested, { actor, now, args: { worker } })

  test('given the second before the expiry, then it is admitted, and not at the expiry', () => {
    expect(submit(stranger, stranger, EXPIRY - 1n)).toBeNull()
    expect(submit(stranger, stranger, EXPIRY)).toMatchObject({ status: 409, failure: 'deadline_passed' })
    expect(submit(stranger, stranger, EXPIRY + 1n)).toMatchObject({ status: 409, failure: 'deadline_passed' })
  })

  test('given a rejected worker, then it is refused, before any payment too', () => {
    for (const actor of [null, bob])
      expect(submit(bob, actor)).toMatchObject({ status: 409, failure: 'worker_rejected' })
  })

  test('given an evaluator or a resolver, then neither may submit', () => {
    const evaluated = aContest({}, { evaluator: alice, disputeResolver: bob })
    for (const wallet of [alice, bob]) {
      const request = { actor: wallet, now: before, args: { worker: wallet } }
      expect(admit('submit', evaluated, request)).toMatchObject({ status: 403, failure: 'judge_cannot_enter' })
    }
  })

  test('given a payer who is not the worker, then it is refused with that reason', () => {
    expect(submit(alice, stranger)).toMatchObject({ status: 403, payerMismatch: true })
    expect(submit(alice, alice)).toBeNull()
    expect(submit(alice, null)).toBeNull()
  })

  test('given the requester is the worker, then it is admitted: a self-award is reported, not forbidden', () => {
    expect(submit(requester, requester)).toBeNull()
  })
})

describe.each(['accept', 'reject_submission'] as const)('%s', (action) => {
  const decide = (worker: `0x${string}`, actor: `0x${string}` | null, now = after) =>
    admit(action, contested, { actor, now, args: { worker } })

  test('given a worker with an active submission, then the requester alone may, also after the expiry', () => {
    for (const now of [before, EXPIRY, after]) expect(decide(alice, requester, now)).toBeNull()
    expect(decide(alice, null)).toBeNull()
    for (const actor of [alice, stranger])
      expect(decide(alice, actor)).toMatchObject({ status: 403, failure: 'not_requester' })
  })

  test.each([bob, stranger])('given the worker %s without an active submission, then it is refused', (worker) => {
    for (const actor of [null, requester]) {
      expect(decide(worker, actor)).toMatchObject({ status: 409, failure: 'no_active_submission', field: 'worker' })
    }
  })

  test('given an evaluator, then the evaluator decides and the requester may not', () => {
    const evaluated = aContest({ [alice]: 'standing' }, { evaluator: stranger })
    expect(admit(action, evaluated, { actor: requester, now: before, args: { worker: alice } })).toMatchObject({
      status: 409,
      failure: 'evaluator_decides',
    })
  })

  test('given no active submission, then it is refused', () => {
    const task = aContest({ [bob]: 'rejected' })
    expect(admit(action, task, { actor: requester, now: before, args: { worker: bob } })).toMatchObject({
      failure: 'no_active_submission',
    })
  })
})

describe('cancel', () => {
  const cancel = (task = aSnapshot(), actor: `0x${string}` | null = requester, now = before) =>
    admit('cancel', task, { actor, now, args: {} })

  test('given no active submission, then the requester alone may, at any time', () => {
    for (const now of [before, EXPIRY, after])
      expect(cancel(aContest({ [bob]: 'rejected' }), requester, now)).toBeNull()
    expect(cancel(aSnapshot(), stranger)).toMatchObject({ status: 403 })
  })

  test('given an active submission, then it is refused', () => {
    expect(cancel(contested)).toMatchObject({ status: 409, failure: 'active_submissions_exist' })
  })
})

describe('refund_expired', () => {
  const refund = (task = aSnapshot(), now = EXPIRY) => admit('refund_expired', task, { actor: stranger, now, args: {} })

  test('given no active submission, then any account may from the second of the expiry on', () => {
    expect(refund(aSnapshot(), EXPIRY - 1n)).toMatchObject({ status: 409, failure: 'too_early' })
    expect(refund(aSnapshot(), EXPIRY)).toBeNull()
    expect(refund(aSnapshot(), EXPIRY + 1n)).toBeNull()
  })

  test('given an active submission, then it is refused', () => {
    expect(refund(contested)).toMatchObject({ status: 409, failure: 'active_submissions_exist' })
  })
})

describe('rate', () => {
  const awards = [
    { worker: alice, rated: false },
    { worker: bob, rated: true },
  ]
  const rate = (worker: `0x${string}`, actor: `0x${string}` | null = requester) =>
    admit('rate', aSnapshot({ status: 'completed', awards }), { actor, now: after, args: { worker } })

  test('given an award without a rating, then the requester alone may rate it', () => {
    expect(rate(alice)).toBeNull()
    expect(rate(alice, alice)).toMatchObject({ status: 403 })
  })

  test('given an award of the requester to itself, then it is neither rated nor offered', () => {
    const task = aSnapshot({ status: 'completed', awards: [{ worker: requester, rated: false }] })
    expect(admit('rate', task, { actor: requester, now: after, args: { worker: requester } })).toMatchObject({
      status: 403,
      failure: 'self_rating',
      field: 'worker',
    })
    expect(listPendingActions(task, after)).toEqual([])
  })

  test('given a rating, or no award, then it is refused', () => {
    expect(rate(bob)).toMatchObject({ status: 409, failure: 'already_rated' })
    expect(rate(stranger)).toMatchObject({ status: 409, failure: 'not_awarded' })
  })
})

type AuctionAction = 'bid' | 'auction_accept' | 'select_winner'

/** Without the actions that contests do not have, and those of tasks with an evaluator. */
type RequestersOrWorkers = Exclude<
  keyof ActionArgs,
  | AuctionAction
  | 'claim'
  | 'forfeit'
  | 'pitch'
  | 'select_worker'
  | 'evaluate'
  | 'appeal'
  | 'resolve_dispute'
  | 'finalize_verdict'
  | 'evaluator_timeout'
>

describe('every action of contests without an evaluator', () => {
  const requests: { [A in RequestersOrWorkers]: ActionArgs[A] } = {
    submit: { worker: stranger },
    submit_proof: { worker: stranger, isRepeated: false },
    accept: { worker: alice },
    accept_submissions: { winners: [{ worker: alice, shareBps: 10_000 }] },
    reject_submission: { worker: alice },
    update: { textsChange: true },
    cancel: {},
    refund_expired: {},
    settle_stale: {},
    rate: { worker: alice },
  }

  const actions = Object.keys(requests) as (keyof typeof requests)[]
  const modeOf = (action: RequestersOrWorkers) => (action === 'submit_proof' ? 'benchmark' : 'bounty')

  test.each(actions)('given %s, then it is possible in one status only', (action) => {
    const home = action === 'rate' ? 'completed' : 'open'
    for (const status of taskStatuses.filter((candidate) => candidate !== home)) {
      const refusal = admit(
        action,
        { ...contested, mode: modeOf(action), status },
        { actor: null, now: before, args: requests[action] },
      )
      expect(refusal).toMatchObject({ status: 409, failure: 'wrong_state' })
    }
  })

  test.each(actions)('given %s, then a mode without a row refuses it', (action) => {
    const refusal = admit(
      action,
      { ...contested, mode: 'unknown' },
      { actor: null, now: before, args: requests[action] },
    )
    expect(refusal).toMatchObject({ status: 409, failure: 'wrong_mode' })
  })
})
