import { expect, test } from 'vitest'
import { actionRules } from '../../../../api/domain/actions/action-rules.ts'
import { admit } from '../../../../api/domain/actions/admit.ts'
import { excludesItself } from '../../../../api/domain/actions/exclusion.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import type { ActionName } from '../../../../protocol/actions.ts'
import { operations } from '../../../../protocol/operations.ts'
import { statusMoves, type TaskStatus } from '../../../../protocol/rules/task-status.ts'
import {
  aClaim,
  aContest,
  alice,
  anAuction,
  aPitchTask,
  bob,
  EXPIRY,
  requester,
} from '../../../support/task-snapshots.ts'
import { anEvaluatedClaim } from '../evaluated-snapshots.ts'

const dutch = anAuction('dutch')
const contest = aContest({ [alice]: 'standing' })

type Row = [given: string, ActionName, TaskSnapshot, operation: string, expected: 'task_changing' | null]

test.each<Row>([
  ['another claim', 'claim', aClaim('open'), 'claims.create', 'task_changing'],
  ['its cancellation', 'claim', aClaim('open'), 'tasks.cancel', 'task_changing'],
  ['its update', 'claim', aClaim('open'), 'tasks.update', null],
  ['a claim', 'cancel', aClaim('open'), 'claims.create', 'task_changing'],
  ['another acceptance', 'auction_accept', dutch, 'bids.accept', 'task_changing'],
  ['the choice of a worker', 'pitch', aPitchTask('open', [alice]), 'pitches.select', 'task_changing'],
  ['another pitch', 'pitch', aPitchTask('open', [alice]), 'pitches.create', null],
  ['another submission to the contest', 'submit', contest, 'submissions.create', null],
  ['an acceptance', 'submit', contest, 'tasks.accept', 'task_changing'],
  ['the delivery', 'submit', aClaim('claimed'), 'submissions.create', 'task_changing'],
  ['the delivery, which can be settled', 'settle_stale', aClaim('claimed'), 'submissions.create', null],
  ['the time-out of the evaluator', 'evaluate', anEvaluatedClaim('review'), 'tasks.evaluatorTimeout', 'task_changing'],
  ['an operation of no action', 'claim', aClaim('open'), 'credits.push', null],
  ['an operation of another version', 'claim', aClaim('open'), 'tasks.unknown', null],
])(
  'given %s is being mined, then %s is refused where it is not possible after it',
  (_given, action, task, operation, expected) => {
    const args = { worker: bob, winners: [], awards: [], verdict: 'reject', score: 0, confidence: 0 } as never
    const refusalOf = (beingMined: readonly string[]) =>
      admit(action, { ...task, beingMined }, { actor: null, now: EXPIRY - 7_200n, args })
    const refusal = refusalOf([operation])
    if (expected === null) expect(refusal).toEqual(refusalOf([]))
    else expect(refusal).toMatchObject({ status: 409, failure: expected, retryAfterSeconds: 2 })
  },
)

test.each([
  [121n, 'task_changing'],
  [120n, undefined],
])('given %d s are left for a claim while a cancellation is being mined, then its refusal is %s', (left, expected) => {
  const task = { ...aClaim('open'), beingMined: ['tasks.cancel'] }
  expect(admit('claim', task, { actor: bob, now: EXPIRY - left, args: { worker: bob } })?.failure).toBe(expected)
})

test('given a wallet that may not see a private task, then it is told nothing of what is being mined', () => {
  const task = {
    ...aClaim('open'),
    taskVisibility: 'private',
    viewers: [alice],
    beingMined: ['claims.create'],
  } as const
  const refusalOf = (worker: typeof alice) => admit('claim', task, { actor: worker, now: 1n, args: { worker } })
  expect(refusalOf(alice)?.failure).toBe('task_changing')
  expect(refusalOf(bob)?.failure).toBe('task_not_found')
  expect(admit('cancel', task, { actor: requester, now: 1n, args: {} })?.failure).toBe('task_changing')
})

test('given every rule, then the status machine has a move for one of its events from each of its statuses', () => {
  for (const { action, statuses, moves = [] } of Object.values(actionRules).flat()) {
    const from = moves.flatMap((event) => statusMoves[event].map(([before]): TaskStatus => before))
    if (moves.length > 0) expect(from, action).toEqual(expect.arrayContaining([...statuses]))
  }
})

test('given the operations of which one alone can succeed, then they take turns', () => {
  const names = Object.keys(operations).filter((name) => excludesItself(name))
  expect(names.toSorted()).toEqual([
    'bids.accept',
    'bids.selectWinner',
    'claims.create',
    'pitches.select',
    'tasks.accept',
    'tasks.acceptSubmissions',
    'tasks.appeal',
    'tasks.cancel',
    'tasks.evaluate',
    'tasks.finalizeVerdict',
    'tasks.forfeit',
    'tasks.refundExpired',
    'tasks.resolveDispute',
    'tasks.settleStale',
  ])
})
