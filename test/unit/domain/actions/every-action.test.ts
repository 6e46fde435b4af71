import { expect, test } from 'vitest'
import type { PendingAction } from '../../../../api/domain/pending-action.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { actionNames } from '../../../../protocol/actions.ts'
import {
  aClaim,
  aContest,
  alice,
  aPitchTask,
  aSnapshot,
  bob,
  carol,
  EXPIRY,
  PITCH_DEADLINE,
  pitchId,
  requester,
  stranger,
  taskId,
} from '../../../support/task-snapshots.ts'
import { anEvaluatedClaim, anEvaluatedContest } from '../evaluated-snapshots.ts'

/** Spec, "PendingAction" and the prices of "Summary"; Interface, "pendingActions commands": the complete texts. */

const BID_DEADLINE = EXPIRY - 3600n
const english = aSnapshot({ mode: 'auction', auctionType: 'english', bidDeadline: BID_DEADLINE })
const dutch = { ...english, auctionType: 'dutch', clockPrice: 1_000_000n } as const
const bidden = { ...english, bidCount: 1, lowestBid: 7n }
const oneStands = aContest({ [alice]: 'standing' })
const completed = aSnapshot({ status: 'completed', awards: [{ worker: bob, rated: false }] })

/** An offer, and its time: `at` is the first or the last moment of it. */
interface Row extends Pick<PendingAction, 'action' | 'role' | 'eligibleAddress' | 'command'> {
  task: TaskSnapshot
  at: bigint
  /** Base units; absent: free. */
  pays?: bigint
  from?: bigint
  until?: bigint
  /** How long before `from` it is announced. */
  noticeSeconds?: bigint
  targetWorker?: PendingAction['targetWorker']
}

const anyWorker = { role: 'worker', eligibleAddress: null } as const
const byAlice = { role: 'worker', eligibleAddress: alice } as const
const byRequester = { role: 'requester', eligibleAddress: requester, pays: 1000n } as const
const byEvaluator = { role: 'evaluator', eligibleAddress: carol, pays: 1000n } as const
const byResolver = { role: 'dispute_resolver', eligibleAddress: stranger, pays: 1000n } as const
const byAnyone = { role: 'anyone', eligibleAddress: null } as const
const beforeExpiry = { at: EXPIRY - 1n, until: EXPIRY }
const fromExpiry = { at: EXPIRY, from: EXPIRY }
/** A contest's evaluator has a window after the expiry, an hour here. */
const END = EXPIRY + 3600n
const DAY = 24n * 3600n

const rows: Row[] = [
  { action: 'claim', task: aClaim('open'), ...anyWorker, ...beforeExpiry, pays: 500_000n, command: 'claim' },
  { action: 'claim', task: aClaim('open', { stakeBps: 0 }), ...anyWorker, ...beforeExpiry, command: 'claim' },
  {
    action: 'bid',
    task: english,
    ...anyWorker,
    pays: 1000n,
    at: BID_DEADLINE - 1n,
    until: BID_DEADLINE,
    command: 'bid --price <usdc>',
  },
  {
    action: 'auction_accept',
    task: dutch,
    ...anyWorker,
    pays: 1000n,
    ...beforeExpiry,
    command: 'auction-accept --min-price <usdc>',
  },
  {
    action: 'select_winner',
    task: bidden,
    ...byAnyone,
    at: BID_DEADLINE,
    from: BID_DEADLINE,
    until: EXPIRY,
    command: 'select-winner',
  },
  {
    action: 'pitch',
    task: aPitchTask('open', []),
    ...anyWorker,
    pays: 1000n,
    at: PITCH_DEADLINE - 1n,
    until: PITCH_DEADLINE,
    command: 'pitch --text <text>',
  },
  {
    action: 'select_worker',
    task: aPitchTask('open', [alice]),
    ...byRequester,
    ...beforeExpiry,
    command: `select-worker --pitch ${pitchId} --worker ${alice}`,
  },
  { action: 'submit', task: aSnapshot(), ...anyWorker, ...beforeExpiry, command: 'submit --file <path>' },
  { action: 'submit', task: aClaim('claimed'), ...byAlice, ...beforeExpiry, command: 'submit --file <path>' },
  {
    action: 'submit_proof',
    task: aSnapshot({ mode: 'benchmark' }),
    ...anyWorker,
    pays: 1000n,
    ...beforeExpiry,
    command: 'proof --data <data> --type <type>',
  },
  { action: 'accept', task: oneStands, ...byRequester, at: EXPIRY, command: `accept --worker ${alice}` },
  {
    action: 'accept_submissions',
    task: oneStands,
    ...byRequester,
    at: EXPIRY,
    command: `accept-submissions --winner ${alice}:<share>[:<submissionId>]`,
  },
  {
    action: 'reject_submission',
    task: oneStands,
    ...byRequester,
    at: EXPIRY,
    command: `reject-submission --worker ${alice}`,
  },
  { action: 'update', task: english, ...byRequester, at: EXPIRY, command: 'update --<field> <value>' },
  { action: 'cancel', task: english, ...byRequester, at: EXPIRY, command: 'cancel' },
  {
    action: 'forfeit',
    task: aClaim('claimed'),
    role: 'requester',
    eligibleAddress: requester,
    ...fromExpiry,
    command: 'forfeit',
  },
  {
    action: 'evaluate',
    task: anEvaluatedClaim('review'),
    ...byEvaluator,
    ...beforeExpiry,
    command: `evaluate --verdict <approve|reject|partial> --award ${alice}:<usdc>:<rank>`,
  },
  {
    action: 'evaluate',
    task: anEvaluatedContest('open'),
    ...byEvaluator,
    at: END - 1n,
    until: END,
    command: 'evaluate --verdict <approve|reject|partial> --award <worker>:<usdc>:<rank>',
  },
  {
    action: 'appeal',
    task: anEvaluatedClaim('appealing'),
    ...byAlice,
    pays: 1000n,
    ...beforeExpiry,
    command: 'appeal',
  },
  {
    action: 'resolve_dispute',
    task: anEvaluatedClaim('disputed'),
    ...byResolver,
    ...beforeExpiry,
    command: `resolve-dispute --verdict <approve|partial> --award ${alice}:<usdc>:<rank>`,
  },
  {
    action: 'finalize_verdict',
    task: anEvaluatedClaim('appealing'),
    ...byAnyone,
    ...fromExpiry,
    command: 'finalize-verdict',
  },
  {
    action: 'finalize_verdict',
    task: anEvaluatedClaim('disputed'),
    ...byAnyone,
    ...fromExpiry,
    command: 'finalize-verdict',
  },
  {
    action: 'evaluator_timeout',
    task: anEvaluatedClaim('review'),
    ...byRequester,
    ...fromExpiry,
    command: 'evaluator-timeout',
  },
  {
    action: 'evaluator_timeout',
    task: anEvaluatedContest('open'),
    ...byRequester,
    at: END,
    from: END,
    command: 'evaluator-timeout',
  },
  { action: 'refund_expired', task: dutch, ...byRequester, ...fromExpiry, command: 'refund-expired' },
  { action: 'refund_expired', task: dutch, ...byAnyone, pays: 1000n, ...fromExpiry, command: 'refund-expired' },
  ...(
    [
      [aClaim('pending_approval'), EXPIRY],
      [anEvaluatedClaim('review'), EXPIRY],
      [dutch, EXPIRY],
      [aSnapshot(), EXPIRY],
      [anEvaluatedContest('open'), END],
    ] as const
  ).map(([task, last]) => ({
    action: 'settle_stale' as const,
    task,
    ...byAnyone,
    at: last + 90n * DAY,
    from: last + 90n * DAY,
    noticeSeconds: 7n * DAY,
    command: 'settle-stale',
  })),
  {
    action: 'rate',
    task: completed,
    ...byRequester,
    at: EXPIRY,
    targetWorker: bob,
    command: `rate --worker ${bob} --rating <0-100>`,
  },
]

test.each(rows)(
  '$action by $role',
  ({ task, at, pays = null, from = null, until = null, noticeSeconds: _, ...offer }) => {
    const [verb, ...rest] = offer.command.split(' ')
    const offers = listPendingActions(task, at).filter(
      ({ action, role }) => action === offer.action && role === offer.role,
    )
    expect(offers).toEqual([
      {
        targetWorker: null,
        ...offer,
        command: ['task', verb, taskId, ...rest].join(' '),
        requiresPayment: pays !== null,
        paymentAmount: pays,
        availableAfter: from,
        availableUntil: until,
      },
    ])
  },
)

test.each(rows)(
  'given $action by $role, then it is offered from its notice until the second before its end',
  ({ action, task, ...row }) => {
    const firstOffer = row.from === undefined ? undefined : row.from - (row.noticeSeconds ?? 0n)
    if (firstOffer !== undefined) {
      expect(listPendingActions(task, firstOffer).filter((offer) => offer.action === action)).not.toEqual([])
    }
    const beyond = [firstOffer === undefined ? undefined : firstOffer - 1n, row.until]
    for (const time of beyond.filter((one) => one !== undefined)) {
      expect(listPendingActions(task, time).filter((offer) => offer.action === action)).toEqual([])
    }
  },
)

test('given the rules, then these are all actions', () => {
  expect([...new Set(rows.map(({ action }) => action))].toSorted()).toEqual([...actionNames].toSorted())
})
