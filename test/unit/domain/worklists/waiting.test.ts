import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { listWaiting, waitingReasons } from '../../../../api/domain/worklists/waiting.ts'
import type { WalletPart } from '../../../../api/domain/worklists/wallet-part.ts'
import { listWorkItems } from '../../../../api/domain/worklists/work-items.ts'
import {
  aClaim,
  aContest,
  alice,
  anAuction,
  aPitchTask,
  aSnapshot,
  BID_DEADLINE,
  bob,
  carol,
  EXPIRY,
  requester,
} from '../../../support/task-snapshots.ts'
import { anEvaluatedClaim, anEvaluatedContest } from '../evaluated-snapshots.ts'

const NOW = EXPIRY - 7200n
const STALE = EXPIRY + 90n * 24n * 3600n
const END = EXPIRY + 3600n

const partOf = (address: Address, activeSubmissionCount = 0): WalletPart => ({
  address,
  activeSubmissionCount,
  isVerdictAwarded: false,
  isLowestBidder: false,
})
const [ofRequester, ofAlice] = [partOf(requester), partOf(alice, 1)]

type Row = [name: string, task: TaskSnapshot, part: WalletPart, at: bigint, waiting: [string, string, bigint | null][]]

const rows: Row[] = [
  ['an empty contest', aSnapshot(), ofRequester, NOW, [['requester', 'waiting_for_submissions', EXPIRY]]],
  [
    'rejected submissions only',
    aContest({ [alice]: 'rejected' }),
    ofRequester,
    NOW,
    [['requester', 'waiting_for_submissions', EXPIRY]],
  ],
  ['submissions to review', aContest({ [alice]: 'standing' }), ofRequester, NOW, []],
  ['an expired contest', aSnapshot(), ofRequester, EXPIRY, []],
  ['an unclaimed task', aClaim('open'), ofRequester, NOW, [['requester', 'waiting_for_worker', EXPIRY]]],
  [
    'an auction before its deadline',
    anAuction('english'),
    ofRequester,
    NOW,
    [['requester', 'waiting_for_worker', BID_DEADLINE]],
  ],
  [
    'an auction without bids',
    anAuction('english'),
    ofRequester,
    BID_DEADLINE,
    [['requester', 'waiting_for_worker', EXPIRY]],
  ],
  ['an auction with bids', anAuction('english', { bids: [[bob, 5n]] }), ofRequester, BID_DEADLINE, []],
  ['no pitch', aPitchTask('open', []), ofRequester, NOW, [['requester', 'waiting_for_worker', EXPIRY]]],
  ['a pitch to select', aPitchTask('open', [alice]), ofRequester, NOW, []],
  ['a claim', aClaim('claimed'), ofRequester, NOW, [['requester', 'waiting_for_worker', EXPIRY]]],
  [
    'a selected pitch',
    aPitchTask('worker_selected', [alice]),
    ofRequester,
    NOW,
    [['requester', 'waiting_for_worker', EXPIRY]],
  ],
  ['an expired claim', aClaim('claimed'), ofRequester, EXPIRY, []],
  ['the own claim', aClaim('claimed'), partOf(alice), NOW, []],
  ['the own delivery', aClaim('pending_approval'), ofAlice, NOW, [['worker', 'waiting_for_review', STALE]]],
  ['the own delivery, never answered', aClaim('pending_approval'), ofAlice, STALE, []],
  ['the own submission', aContest({ [alice]: 'standing' }), ofAlice, NOW, [['worker', 'waiting_for_review', STALE]]],
  ['a submission of another', aContest({ [alice]: 'standing' }), partOf(bob), NOW, []],
  [
    'a review, its requester',
    anEvaluatedClaim('review'),
    ofRequester,
    NOW,
    [['requester', 'waiting_for_evaluator', EXPIRY]],
  ],
  ['a review, its worker', anEvaluatedClaim('review'), ofAlice, NOW, [['worker', 'waiting_for_evaluator', EXPIRY]]],
  ['a review, its evaluator', anEvaluatedClaim('review'), partOf(carol), NOW, []],
  ['a review out of time, its requester', anEvaluatedClaim('review'), ofRequester, EXPIRY, []],
  [
    'an evaluated contest, its requester',
    anEvaluatedContest('open'),
    ofRequester,
    NOW,
    [['requester', 'waiting_for_evaluator', END]],
  ],
  [
    'an evaluated contest, its worker',
    anEvaluatedContest('open'),
    ofAlice,
    NOW,
    [['worker', 'waiting_for_evaluator', END]],
  ],
  [
    'appealing, its requester',
    anEvaluatedClaim('appealing'),
    ofRequester,
    NOW,
    [['requester', 'waiting_for_appeal_window', EXPIRY]],
  ],
  // An appeal is possible, and a choice.
  [
    'appealing, its worker',
    anEvaluatedClaim('appealing'),
    ofAlice,
    NOW,
    [['worker', 'waiting_for_appeal_window', EXPIRY]],
  ],
  [
    'appealing, an entrant',
    anEvaluatedContest('appealing'),
    partOf(bob, 1),
    NOW,
    [['worker', 'waiting_for_appeal_window', EXPIRY]],
  ],
  ['a final verdict', anEvaluatedClaim('appealing'), ofRequester, EXPIRY, []],
  [
    'disputed, its requester',
    anEvaluatedContest('disputed'),
    ofRequester,
    NOW,
    [['requester', 'waiting_for_settlement', EXPIRY]],
  ],
  [
    'disputed, an entrant',
    anEvaluatedContest('disputed'),
    ofAlice,
    NOW,
    [['worker', 'waiting_for_settlement', EXPIRY]],
  ],
  ['a completed task', aClaim('completed'), ofAlice, NOW, []],
  ['a task of an unknown mode', aSnapshot({ mode: 'unknown' }), ofRequester, NOW, []],
  ['a cancelled task', aSnapshot({ status: 'cancelled' }), ofRequester, NOW, []],
]

test.each(rows)('given %s, then this is waited for', (_, task, part, now, waiting) => {
  const items = listWorkItems(task, part, now)
  expect(listWaiting(task, part, { now, items }).map(({ role, reason, dueAt }) => [role, reason, dueAt])).toEqual(
    waiting,
  )
})

test('given the rows above, then every reason is in one of them', () => {
  const named = new Set(rows.flatMap(([, , , , waiting]) => waiting.map(([, reason]) => reason)))
  expect([...named].sort()).toEqual([...waitingReasons].sort())
})
