import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import type { WalletPart } from '../../../../api/domain/worklists/wallet-part.ts'
import { intentOfAction } from '../../../../api/domain/worklists/work-intents.ts'
import { listWorkItems, type WorkItem } from '../../../../api/domain/worklists/work-items.ts'
import { actionNames } from '../../../../protocol/actions.ts'
import {
  aClaim,
  aContest,
  alice,
  anAuction,
  anyAuction,
  anyClaim,
  anyContest,
  anyPitchTask,
  anyTime,
  aPitchTask,
  aSnapshot,
  bob,
  carol,
  EXPIRY,
  requester,
  stranger,
  taskId,
} from '../../../support/task-snapshots.ts'
import { anEvaluatedClaim, anEvaluatedContest, anyEvaluated } from '../evaluated-snapshots.ts'

const DAY = 24n * 3600n
const STALE = EXPIRY + 90n * DAY

const partOf = (address: Address, part: Partial<WalletPart> = {}): WalletPart => ({
  address,
  activeSubmissionCount: 0,
  isVerdictAwarded: false,
  isLowestBidder: false,
  ...part,
})

/** An item, by everything but its actions' details. */
interface Row {
  name: string
  task: TaskSnapshot
  part: WalletPart
  at: bigint
  items: [role: string, intent: string, actions: string, priority: string, dueAt: bigint | null][]
}

const entrant = { activeSubmissionCount: 1 }
const bidden = anAuction('english', { bids: [[alice, 5n]] })

const rows: Row[] = [
  {
    name: 'a contest with submissions',
    task: aContest({ [alice]: 'standing' }),
    part: partOf(requester),
    at: EXPIRY - 2n * DAY,
    items: [['requester', 'review_work', 'accept accept_submissions reject_submission', 'required', null]],
  },
  {
    name: 'a delivery',
    task: aClaim('pending_approval'),
    part: partOf(requester),
    at: EXPIRY,
    items: [['requester', 'review_work', 'accept', 'required', STALE]],
  },
  {
    name: 'a silent evaluator',
    task: anEvaluatedClaim('review'),
    part: partOf(requester),
    at: EXPIRY,
    items: [['requester', 'review_work', 'evaluator_timeout', 'required', null]],
  },
  {
    name: 'pitches, with days to choose',
    task: aPitchTask('open', [alice, bob]),
    part: partOf(requester),
    at: EXPIRY - DAY - 1n,
    items: [['requester', 'select_worker', 'select_worker', 'required', EXPIRY]],
  },
  {
    name: 'pitches, with a day to choose',
    task: aPitchTask('open', [alice, bob]),
    part: partOf(requester),
    at: EXPIRY - DAY,
    items: [['requester', 'select_worker', 'select_worker', 'urgent', EXPIRY]],
  },
  {
    name: 'a claim to deliver',
    task: aClaim('claimed'),
    part: partOf(alice),
    at: EXPIRY - 1n,
    items: [['worker', 'submit_work', 'submit', 'urgent', EXPIRY]],
  },
  { name: 'the claim of another', task: aClaim('claimed'), part: partOf(bob), at: EXPIRY - 1n, items: [] },
  {
    name: 'an expired claim',
    task: aClaim('claimed'),
    part: partOf(requester),
    at: EXPIRY,
    items: [['requester', 'settle_expired', 'forfeit refund_expired', 'urgent', null]],
  },
  {
    name: 'an expired contest',
    task: aSnapshot(),
    part: partOf(requester),
    at: EXPIRY,
    items: [['requester', 'settle_expired', 'refund_expired', 'urgent', null]],
  },
  {
    name: 'a delivery without an answer, of its worker',
    task: aClaim('pending_approval'),
    part: partOf(alice, entrant),
    at: STALE,
    items: [['worker', 'settle_expired', 'settle_stale', 'urgent', STALE]],
  },
  {
    name: 'a delivery without a verdict, of its worker',
    task: anEvaluatedClaim('review'),
    part: partOf(alice, entrant),
    at: STALE,
    items: [['worker', 'settle_expired', 'settle_stale', 'urgent', null]],
  },
  {
    name: 'a delivery without an answer, announced',
    task: aClaim('pending_approval'),
    part: partOf(alice, entrant),
    at: STALE - 1n,
    items: [],
  },
  {
    name: 'a delivery to evaluate',
    task: anEvaluatedClaim('review'),
    part: partOf(carol),
    at: EXPIRY - 2n * DAY,
    items: [['evaluator', 'evaluate_work', 'evaluate', 'required', EXPIRY]],
  },
  {
    name: 'a verdict over the own delivery',
    task: anEvaluatedClaim('appealing'),
    part: partOf(alice, entrant),
    at: EXPIRY - 1n,
    items: [['worker', 'appeal_verdict', 'appeal', 'urgent', EXPIRY]],
  },
  {
    name: 'a verdict over the own submission, one of several',
    task: anEvaluatedContest('appealing'),
    part: partOf(bob, entrant),
    at: EXPIRY - 1n,
    items: [['worker', 'appeal_verdict', 'appeal', 'urgent', EXPIRY]],
  },
  {
    name: 'a verdict over the submissions of others',
    task: anEvaluatedContest('appealing'),
    part: partOf(bob),
    at: EXPIRY - 1n,
    items: [],
  },
  {
    name: 'a dispute',
    task: anEvaluatedContest('disputed'),
    part: partOf(stranger),
    at: EXPIRY - 1n,
    items: [['dispute_resolver', 'resolve_dispute', 'resolve_dispute', 'urgent', EXPIRY]],
  },
  {
    name: 'a final verdict, of the requester',
    task: anEvaluatedContest('appealing'),
    part: partOf(requester),
    at: EXPIRY,
    items: [['requester', 'finalize_verdict', 'finalize_verdict', 'required', null]],
  },
  {
    name: 'a final verdict, of the awarded',
    task: anEvaluatedContest('appealing'),
    part: partOf(alice, { ...entrant, isVerdictAwarded: true }),
    at: EXPIRY,
    items: [['worker', 'finalize_verdict', 'finalize_verdict', 'required', null]],
  },
  {
    name: 'a final verdict, of the assigned',
    task: anEvaluatedClaim('appealing'),
    part: partOf(alice, entrant),
    at: EXPIRY,
    items: [['worker', 'finalize_verdict', 'finalize_verdict', 'required', null]],
  },
  {
    name: 'a final verdict, of a worker without an award',
    task: anEvaluatedContest('appealing'),
    part: partOf(bob, entrant),
    at: EXPIRY,
    items: [],
  },
  {
    name: 'unrated awards',
    task: aSnapshot({ status: 'completed', awards: [{ worker: bob, rated: false }] }),
    part: partOf(requester),
    at: EXPIRY,
    items: [['requester', 'rate_workers', 'rate', 'follow_up', null]],
  },
  {
    name: 'bids to choose from',
    task: bidden,
    part: partOf(requester),
    at: EXPIRY - 1n,
    items: [['requester', 'select_auction_winner', 'select_winner', 'urgent', EXPIRY]],
  },
  {
    name: 'the lowest bid',
    task: bidden,
    part: partOf(alice, { isLowestBidder: true }),
    at: EXPIRY - 1n,
    items: [['worker', 'select_auction_winner', 'select_winner', 'urgent', EXPIRY]],
  },
  { name: 'another bid', task: bidden, part: partOf(bob), at: EXPIRY - 1n, items: [] },
  { name: 'an open market', task: aSnapshot(), part: partOf(bob), at: EXPIRY - 1n, items: [] },
]

test.each(rows)('given $name, then its items are these', ({ task, part, at, items }) => {
  const found = listWorkItems(task, part, at)
  expect(found.map(toRow)).toEqual(items)
})

function toRow({ role, intent, actions, priority, dueAt }: WorkItem) {
  return [
    role,
    intent,
    actions
      .map(({ action }) => action)
      .sort()
      .join(' '),
    priority,
    dueAt,
  ]
}

test('given the rows above, then every action with an intent is in one of them', () => {
  const named = new Set(rows.flatMap(({ items }) => items.flatMap(([, , actions]) => actions.split(' '))))
  // A proof enters an open market in every mode that takes one.
  const expected = actionNames.filter((action) => intentOfAction[action] !== null && action !== 'submit_proof')
  expect([...named].sort()).toEqual([...expected].sort())
})

test('given awards, then progress counts the rated ones, and an award of the requester to itself is none', () => {
  const awards = [
    { worker: alice, rated: true },
    { worker: bob, rated: false },
    { worker: requester, rated: false },
  ]
  const [item] = listWorkItems(aSnapshot({ status: 'completed', awards }), partOf(requester), EXPIRY)
  expect(item?.progress).toEqual({ completed: 1, total: 2 })
})

test('given any task, wallet and time, then items hold offered actions that are possible now, each once', () => {
  const anyTask = fc.oneof(anyContest, anyClaim, anyAuction, anyPitchTask, anyEvaluated)
  const anyPart = fc.record({
    address: fc.constantFrom(requester, alice, bob, carol, stranger),
    activeSubmissionCount: fc.nat({ max: 1 }),
    isVerdictAwarded: fc.boolean(),
    isLowestBidder: fc.boolean(),
  })
  fc.assert(
    fc.property(anyTask, anyPart, anyTime, (task, part, now) => {
      const offers = listPendingActions(task, now)
      const items = listWorkItems(task, part, now)
      expect(new Set(items.map(({ role, intent }) => `${role} ${intent}`)).size).toBe(items.length)
      for (const { role, intent, actions } of items) {
        expect(actions.length).toBeGreaterThan(0)
        for (const action of actions) {
          expect(offers).toContainEqual(action)
          expect(action.availableAfter === null || action.availableAfter <= now).toBe(true)
          expect([null, part.address]).toContain(action.eligibleAddress)
          expect(intentOfAction[action.action]).toMatchObject({ intent, roles: expect.arrayContaining([role]) })
        }
      }
      // What names the wallet and is possible is work, unless it changes terms or enters a market.
      const own = offers.filter(
        ({ eligibleAddress, availableAfter, action }) =>
          eligibleAddress === part.address && intentOfAction[action] !== null && (availableAfter ?? now) <= now,
      )
      const listed = items.flatMap(({ actions }) => actions)
      for (const offer of own) expect(listed).toContainEqual(offer)
    }),
  )
})

test('given a private task, then a worker who may not act in it has no work, but for what any account may do', () => {
  const hidden = { taskVisibility: 'private', participants: [], viewers: [] } as const
  const part = partOf(alice, { activeSubmissionCount: 1, isVerdictAwarded: true })
  const task = { ...anEvaluatedContest('appealing'), ...hidden }
  expect(listWorkItems(task, part, EXPIRY - 1n)).toEqual([])
  expect(listWorkItems(task, part, EXPIRY).map(({ intent }) => intent)).toEqual(['finalize_verdict'])
  expect(task.id).toBe(taskId)
})
