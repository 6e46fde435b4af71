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

/** The item, if any, as `role intent priority: actions`, and when it is due. */
type Row = [name: string, task: TaskSnapshot, part: WalletPart, at: bigint, item?: string, dueAt?: bigint]

const entrant = { activeSubmissionCount: 1 }
const bidden = anAuction('english', { bids: [[alice, 5n]] })

const rows: Row[] = [
  [
    'a contest with submissions',
    aContest({ [alice]: 'standing' }),
    partOf(requester),
    EXPIRY - 2n * DAY,
    'requester review_work required: accept accept_submissions reject_submission',
  ],
  [
    'a delivery',
    aClaim('pending_approval'),
    partOf(requester),
    EXPIRY,
    'requester review_work required: accept',
    STALE,
  ],
  [
    'a silent evaluator',
    anEvaluatedClaim('review'),
    partOf(requester),
    EXPIRY,
    'requester review_work required: evaluator_timeout',
  ],
  [
    'pitches, with days to choose',
    aPitchTask('open', [alice, bob]),
    partOf(requester),
    EXPIRY - DAY - 1n,
    'requester select_worker required: select_worker',
    EXPIRY,
  ],
  [
    'pitches, with a day to choose',
    aPitchTask('open', [alice, bob]),
    partOf(requester),
    EXPIRY - DAY,
    'requester select_worker urgent: select_worker',
    EXPIRY,
  ],
  ['a claim to deliver', aClaim('claimed'), partOf(alice), EXPIRY - 1n, 'worker submit_work urgent: submit', EXPIRY],
  ['the claim of another', aClaim('claimed'), partOf(bob), EXPIRY - 1n],
  [
    'an expired claim',
    aClaim('claimed'),
    partOf(requester),
    EXPIRY,
    'requester settle_expired urgent: forfeit refund_expired',
  ],
  ['an expired contest', aSnapshot(), partOf(requester), EXPIRY, 'requester settle_expired urgent: refund_expired'],
  [
    'an expired contest that any account may settle',
    aSnapshot(),
    partOf(requester),
    STALE,
    'requester settle_expired urgent: refund_expired settle_stale',
  ],
  [
    'a delivery without an answer, of its worker',
    aClaim('pending_approval'),
    partOf(alice, entrant),
    STALE,
    'worker settle_expired urgent: settle_stale',
    STALE,
  ],
  [
    'a delivery without a verdict, of its worker',
    anEvaluatedClaim('review'),
    partOf(alice, entrant),
    STALE,
    'worker settle_expired urgent: settle_stale',
  ],
  ['a delivery without an answer, of another worker', aClaim('pending_approval'), partOf(bob, entrant), STALE],
  [
    'a delivery without an answer, of a worker with an award',
    aClaim('pending_approval'),
    partOf(bob, { ...entrant, isVerdictAwarded: true }),
    STALE,
  ],
  ['a delivery without an answer, announced', aClaim('pending_approval'), partOf(alice, entrant), STALE - 1n],
  [
    'a delivery to evaluate',
    anEvaluatedClaim('review'),
    partOf(carol),
    EXPIRY - 2n * DAY,
    'evaluator evaluate_work required: evaluate',
    EXPIRY,
  ],
  [
    'a verdict over the own delivery',
    anEvaluatedClaim('appealing'),
    partOf(alice, entrant),
    EXPIRY - 1n,
    'worker appeal_verdict urgent: appeal',
    EXPIRY,
  ],
  [
    'a verdict over the own submission, one of several',
    anEvaluatedContest('appealing'),
    partOf(bob, entrant),
    EXPIRY - 1n,
    'worker appeal_verdict urgent: appeal',
    EXPIRY,
  ],
  ['a verdict over the submissions of others', anEvaluatedContest('appealing'), partOf(bob), EXPIRY - 1n],
  [
    'a dispute',
    anEvaluatedContest('disputed'),
    partOf(stranger),
    EXPIRY - 1n,
    'dispute_resolver resolve_dispute urgent: resolve_dispute',
    EXPIRY,
  ],
  [
    'a final verdict, of the requester',
    anEvaluatedContest('appealing'),
    partOf(requester),
    EXPIRY,
    'requester finalize_verdict required: finalize_verdict',
  ],
  [
    'a final verdict, of the awarded',
    anEvaluatedContest('appealing'),
    partOf(alice, { ...entrant, isVerdictAwarded: true }),
    EXPIRY,
    'worker finalize_verdict required: finalize_verdict',
  ],
  [
    'a final verdict, of the assigned',
    anEvaluatedClaim('appealing'),
    partOf(alice, entrant),
    EXPIRY,
    'worker finalize_verdict required: finalize_verdict',
  ],
  ['a final verdict, of a worker without an award', anEvaluatedContest('appealing'), partOf(bob, entrant), EXPIRY],
  [
    'unrated awards',
    aSnapshot({ status: 'completed', awards: [{ worker: bob, rated: false }] }),
    partOf(requester),
    EXPIRY,
    'requester rate_workers follow_up: rate',
  ],
  [
    'bids to choose from',
    bidden,
    partOf(requester),
    EXPIRY - 1n,
    'requester select_auction_winner urgent: select_winner',
    EXPIRY,
  ],
  [
    'the lowest bid',
    bidden,
    partOf(alice, { isLowestBidder: true }),
    EXPIRY - 1n,
    'worker select_auction_winner urgent: select_winner',
    EXPIRY,
  ],
  ['another bid', bidden, partOf(bob), EXPIRY - 1n],
  ['an open market', aSnapshot(), partOf(bob), EXPIRY - 1n],
]

test.each(rows)('given %s, then its item is this', (_, task, part, at, item, dueAt) => {
  expect(listWorkItems(task, part, at).map(toRow)).toEqual(item === undefined ? [] : [[item, dueAt ?? null]])
})

function toRow({ role, intent, actions, priority, dueAt }: WorkItem) {
  const names = actions.map(({ action }) => action).sort()
  return [`${role} ${intent} ${priority}: ${names.join(' ')}`, dueAt]
}

test('given the rows above, then every action with an intent is in one of them', () => {
  const named = new Set(rows.flatMap(([, , , , item = '']) => item.split(': ')[1]?.split(' ') ?? []))
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
