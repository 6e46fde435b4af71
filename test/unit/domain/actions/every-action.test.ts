import { expect, test } from 'vitest'
import { actionNames, type PendingAction } from '../../../../api/domain/pending-action.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { aJudgedClaim, aJudgedContest } from '../../../support/judged-snapshots.ts'
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

/** Spec, "PendingAction" and the prices of "Summary"; Interface, "pendingActions commands": all of it, word by word. */

const BID_DEADLINE = EXPIRY - 3600n
const english = aSnapshot({ mode: 'auction', auctionType: 'english', bidDeadline: BID_DEADLINE })
const dutch = { ...english, auctionType: 'dutch', clockPrice: 1_000_000n } as const
const bidden = { ...english, bidCount: 1, lowestBid: 7n }
const oneStands = aContest({ [alice]: 'standing' })
const completed = aSnapshot({ status: 'completed', awards: [{ worker: bob, rated: false }] })

/** An offer, and where it is one: `at` is the first moment there is, or the last. */
interface Row extends Pick<PendingAction, 'action' | 'role' | 'eligibleAddress' | 'command'> {
  task: TaskSnapshot
  at: bigint
  /** Base units; absent: free. */
  pays?: bigint
  from?: bigint
  until?: bigint
  /** How long before `from` it is offered already. */
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
/** A contest's evaluator has his window after the expiry, an hour here. */
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
    task: aJudgedClaim('review'),
    ...byEvaluator,
    ...beforeExpiry,
    command: `evaluate --verdict <approve|reject|partial> --award ${alice}:<usdc>:<rank>`,
  },
  {
    action: 'evaluate',
    task: aJudgedContest('open'),
    ...byEvaluator,
    at: END - 1n,
    until: END,
    command: 'evaluate --verdict <approve|reject|partial> --award <worker>:<usdc>:<rank>',
  },
  {
    action: 'appeal',
    task: aJudgedClaim('appealing'),
    ...byAlice,
    pays: 1000n,
    ...beforeExpiry,
    command: 'appeal',
  },
  {
    action: 'resolve_dispute',
    task: aJudgedClaim('disputed'),
    ...byResolver,
    ...beforeExpiry,
    command: `resolve-dispute --verdict <approve|partial> --award ${alice}:<usdc>:<rank>`,
  },
  {
    action: 'finalize_verdict',
    task: aJudgedClaim('appealing'),
    ...byAnyone,
    ...fromExpiry,
    command: 'finalize-verdict',
  },
  {
    action: 'finalize_verdict',
    task: aJudgedClaim('disputed'),
    ...byAnyone,
    ...fromExpiry,
    command: 'finalize-verdict',
  },
  {
    action: 'evaluator_timeout',
    task: aJudgedClaim('review'),
    ...byRequester,
    ...fromExpiry,
    command: 'evaluator-timeout',
  },
  {
    action: 'evaluator_timeout',
    task: aJudgedContest('open'),
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
      [aJudgedClaim('review'), EXPIRY],
      [dutch, EXPIRY],
      [aSnapshot(), EXPIRY],
      [aJudgedContest('open'), END],
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

test.each(rows)('$action by $role: not a second before its notice, nor from its end on', ({ action, task, ...row }) => {
  const firstOffer = row.from === undefined ? undefined : row.from - (row.noticeSeconds ?? 0n)
  if (firstOffer !== undefined) {
    expect(listPendingActions(task, firstOffer).filter((offer) => offer.action === action)).not.toEqual([])
  }
  const beyond = [firstOffer === undefined ? undefined : firstOffer - 1n, row.until]
  for (const time of beyond.filter((one) => one !== undefined)) {
    expect(listPendingActions(task, time).filter((offer) => offer.action === action)).toEqual([])
  }
})

test('these are all the actions there are', () => {
  expect([...new Set(rows.map(({ action }) => action))].toSorted()).toEqual([...actionNames].toSorted())
})
