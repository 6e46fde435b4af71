import { describe, expect, test } from 'vitest'
import { admit } from '../../../../api/domain/actions/admit.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { aContest, alice, bob, carol, EXPIRY, requester, stranger, taskId } from '../../../support/task-snapshots.ts'

const benchmark = aContest({ [alice]: 'standing', [bob]: 'rejected' }, { mode: 'benchmark' })

interface Attempt {
  task?: TaskSnapshot
  now?: bigint
  actor?: `0x${string}` | null
  isRepeated?: boolean
}

const prove = (worker: `0x${string}`, attempt: Attempt = {}) => {
  const { task = benchmark, now = EXPIRY - 1n, actor = null, isRepeated = false } = attempt
  return admit('submit_proof', task, { actor, now, args: { worker, isRepeated } })
}

describe('submit_proof', () => {
  test('given any worker who pays, then it is admitted until the expiry, repeatedly too', () => {
    for (const worker of [alice, carol, requester]) {
      expect(prove(worker)).toBeNull()
      expect(prove(worker, { actor: worker })).toBeNull()
    }
    expect(prove(alice, { actor: stranger })).toMatchObject({ status: 403, payerMismatch: true })
    for (const now of [EXPIRY, EXPIRY + 1n]) {
      expect(prove(alice, { now })).toMatchObject({ status: 409, failure: 'deadline_passed' })
    }
  })

  test('given a rejected worker, or the evaluator or resolver, then it is refused', () => {
    expect(prove(bob)).toMatchObject({ status: 409, failure: 'worker_rejected' })
    for (const wallet of [{ evaluator: carol }, { disputeResolver: carol }]) {
      expect(prove(carol, { task: { ...benchmark, ...wallet } })).toMatchObject({ status: 403 })
    }
  })

  test('given data that the worker has submitted before, then it is refused', () => {
    for (const actor of [null, alice]) {
      expect(prove(alice, { actor, isRepeated: true })).toMatchObject({
        status: 409,
        failure: 'duplicate_submission',
        field: 'proofData',
      })
    }
  })

  test('given another mode, then it is refused; given a pause, then admitted', () => {
    expect(prove(alice, { task: { ...benchmark, mode: 'bounty' } })).toMatchObject({ failure: 'wrong_mode' })
    expect(prove(alice, { task: { ...benchmark, entriesPaused: true } })).toBeNull()
  })

  test('given an open benchmark, then it is offered with the ordinary submissions, for the fee', () => {
    const entries = listPendingActions(benchmark, EXPIRY - 1n).filter(({ role }) => role === 'worker')
    const anyWorker = { eligibleAddress: null, availableAfter: null, availableUntil: EXPIRY, targetWorker: null }
    expect(entries).toMatchObject([
      { action: 'submit', requiresPayment: false },
      {
        ...anyWorker,
        action: 'submit_proof',
        command: `task proof ${taskId} --data <data> --type <type>`,
        requiresPayment: true,
        paymentAmount: 1000n,
      },
    ])
  })
})

describe('a benchmark', () => {
  test('given submissions, then it is decided like a bounty', () => {
    const actions = listPendingActions(benchmark, EXPIRY).map(({ action }) => action)
    expect(actions).toEqual(['accept', 'accept_submissions', 'reject_submission', 'update'])
    const request = { actor: requester, now: EXPIRY, args: { worker: alice } }
    expect(admit('accept', benchmark, request)).toBeNull()
    expect(admit('reject_submission', benchmark, request)).toBeNull()
  })

  test('given no entry, then it can be cancelled, and refunded from its expiry on', () => {
    const actions = listPendingActions(aContest({}, { mode: 'benchmark' }), EXPIRY).map(({ action }) => action)
    expect(actions).toEqual(['update', 'cancel', 'refund_expired', 'refund_expired'])
  })
})
