import { describe, expect, test } from 'vitest'
import type { WinnerArgs } from '../../../../api/domain/actions/accept-submissions.ts'
import { admit } from '../../../../api/domain/actions/admit.ts'
import type { SubmissionFacts, TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import {
  aContest,
  alice,
  bob,
  carol,
  deliverableOf,
  EXPIRY,
  requester,
  stranger,
  taskId,
} from '../../../support/task-snapshots.ts'

const contest = aContest({ [alice]: 'standing', [bob]: 'standing', [carol]: 'rejected' })

function split(
  winners: WinnerArgs[],
  { task = contest, actor = requester }: { task?: TaskSnapshot; actor?: `0x${string}` } = {},
) {
  return admit('accept_submissions', task, { actor, now: EXPIRY + 1n, args: { winners } })
}

const half = (worker: `0x${string}`): WinnerArgs => ({ worker, shareBps: 5000 })

describe('a split', () => {
  test('given distinct workers with active submissions and shares of exactly 10000, then the requester alone may', () => {
    expect(split([half(alice), half(bob)])).toBeNull()
    expect(split([{ worker: alice, shareBps: 10_000 }])).toBeNull()
    expect(split([half(alice), half(bob)], { actor: stranger })).toMatchObject({ status: 403 })
  })

  test.each([9999, 10_001, 0, 20_000])('given shares that sum to %i, then it is refused', (sum) => {
    const winners = [half(alice), { worker: bob, shareBps: sum - 5000 }]
    expect(split(winners)).toMatchObject({ status: 400, failure: 'invalid_shares', field: 'winners' })
  })

  test('given no winner, or more than 50, then it is refused', () => {
    expect(split([])).toMatchObject({ status: 400, failure: 'no_winners' })
    const winners = Array.from({ length: 51 }, () => ({ worker: alice, shareBps: 200 }))
    expect(split(winners)).toMatchObject({ status: 400, failure: 'too_many_winners' })
  })

  test('given 50 winners, then it is admitted', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}` as const)
    const task = aContest(Object.fromEntries(fifty.map((worker) => [worker, 'standing'])))
    expect(
      split(
        fifty.map((worker) => ({ worker, shareBps: 200 })),
        { task },
      ),
    ).toBeNull()
  })

  test('given a worker twice, then the second one is named', () => {
    expect(split([half(alice), half(alice)])).toMatchObject({
      status: 400,
      failure: 'duplicate_winner',
      field: 'winners.1.worker',
    })
  })

  test.each([carol, stranger])('given the worker %s without an active submission, then it is refused', (worker) => {
    expect(split([half(alice), half(worker)])).toMatchObject({
      status: 409,
      failure: 'no_active_submission',
      field: 'winners.1.worker',
    })
  })

  test('given a share of less than a base unit, then it is refused though rank 1 would get the remainder', () => {
    const task = aContest({ [alice]: 'standing', [bob]: 'standing' }, { reward: 9999n })
    expect(
      split(
        [
          { worker: alice, shareBps: 1 },
          { worker: bob, shareBps: 9999 },
        ],
        { task },
      ),
    ).toMatchObject({
      status: 400,
      failure: 'zero_award',
      field: 'winners.0.share',
    })
    const enough = aContest({ [alice]: 'standing', [bob]: 'standing' }, { reward: 10_000n })
    expect(
      split(
        [
          { worker: alice, shareBps: 1 },
          { worker: bob, shareBps: 9999 },
        ],
        { task: enough },
      ),
    ).toBeNull()
  })
})

describe('a pinned submission', () => {
  const submission: SubmissionFacts = {
    id: `0x${'ab'.repeat(32)}`,
    taskId,
    worker: alice,
    deliverable: deliverableOf(alice),
    rejected: false,
  }
  const pin = (pinned: SubmissionFacts | null) => split([{ worker: alice, shareBps: 10_000, pinned }])

  test('given an active one of this worker for this task, then it is admitted', () => {
    expect(pin(submission)).toBeNull()
  })

  test.each<[string, SubmissionFacts | null]>([
    ['that does not exist', null],
    ['of another worker', { ...submission, worker: bob }],
    ['of another task', { ...submission, taskId: `0x${'22'.repeat(32)}` }],
    ['that was rejected', { ...submission, rejected: true }],
  ])('given one %s, then it is refused', (_name, pinned) => {
    expect(pin(pinned)).toMatchObject({ status: 409, failure: 'unknown_submission', field: 'winners.0.submissionId' })
  })
})
