import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { ActionRole } from '../../../../api/domain/pending-action.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import type { ActionName } from '../../../../protocol/actions.ts'
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
  PITCH_DEADLINE,
  pitchId,
  requester,
  stranger,
  taskId,
} from '../../../support/task-snapshots.ts'
import { anEvaluatedClaim, anEvaluatedContest } from '../evaluated-snapshots.ts'

/**
 * Each offer, word by word, from its first moment to its last. `offers.test.ts` has which offers a task has: those that
 * the rules admit. Spec, "PendingAction" and the prices of "Summary"; Interface, "pendingActions commands".
 */

/** Base units; null: free. */
const by = (role: ActionRole, eligibleAddress: Address | null, paymentAmount: bigint | null = null) => ({
  role,
  eligibleAddress,
  requiresPayment: paymentAmount !== null,
  paymentAmount,
})
const byWorker = by('worker', null)
const byPayingWorker = by('worker', null, 1000n)
const byRequester = by('requester', requester, 1000n)
const byEvaluator = by('evaluator', carol, 1000n)
const byResolver = by('dispute_resolver', stranger, 1000n)
const byAnyone = by('anyone', null)

/** The window of an offer, and one moment of it: its last, else its first. */
interface Time {
  at: bigint
  availableAfter: bigint | null
  availableUntil: bigint | null
}
const until = (end: bigint): Time => ({ at: end - 1n, availableAfter: null, availableUntil: end })
const from = (start: bigint, end: bigint | null = null): Time => ({
  at: start,
  availableAfter: start,
  availableUntil: end,
})
const always: Time = { at: EXPIRY, availableAfter: null, availableUntil: null }
/** A contest's evaluator has a window after the expiry, an hour here. */
const END = EXPIRY + 3600n
const DAY = 24n * 3600n
/** How long before its window a settlement is announced. */
const NOTICE = 7n * DAY

const [english, sealed] = [anAuction('english'), anAuction('reverse_english')]
const [dutch, reverseDutch] = [anAuction('dutch'), anAuction('reverse_dutch')]
const bids = [[alice, 1000n]] as const
const oneStands = aContest({ [alice]: 'standing', [bob]: 'rejected' })
const twoStand = aContest({ [alice]: 'standing', [bob]: 'standing' })
const awards = [
  { worker: alice, rated: true },
  { worker: bob, rated: false },
  { worker: requester, rated: false },
]
const anyVerdict = 'evaluate --verdict <approve|reject|partial> --award'

type Row = [TaskSnapshot, ReturnType<typeof by>, Time, command: string]

const rows: Record<ActionName, Row[]> = {
  claim: [
    [aClaim('open'), by('worker', null, 500_000n), until(EXPIRY), 'claim'],
    [aClaim('open', { stakeBps: 0 }), byWorker, until(EXPIRY), 'claim'],
    [aClaim('open', { stakeBps: 1, reward: 9_999n }), byWorker, until(EXPIRY), 'claim'],
  ],
  bid: [
    [english, byPayingWorker, until(BID_DEADLINE), 'bid --price <usdc>'],
    [sealed, byPayingWorker, until(BID_DEADLINE), 'bid --price <usdc>'],
    [{ ...sealed, lowestBid: 1000n, bidCount: 499 }, byPayingWorker, until(BID_DEADLINE), 'bid --price <usdc>'],
  ],
  auction_accept: [
    [dutch, byPayingWorker, until(EXPIRY), 'auction-accept --min-price <usdc>'],
    [reverseDutch, byPayingWorker, until(EXPIRY), 'auction-accept --min-price <usdc>'],
  ],
  select_winner: [
    [anAuction('english', { bids }), byAnyone, from(BID_DEADLINE, EXPIRY), 'select-winner'],
    [anAuction('reverse_english', { bids }), byAnyone, from(BID_DEADLINE, EXPIRY), 'select-winner'],
  ],
  pitch: [[aPitchTask('open', []), byPayingWorker, until(PITCH_DEADLINE), 'pitch --text <text>']],
  select_worker: [
    [aPitchTask('open', [alice]), byRequester, until(EXPIRY), `select-worker --pitch ${pitchId} --worker ${alice}`],
    [
      aPitchTask('open', [alice], { solePitch: { worker: alice, id: null } }),
      byRequester,
      until(EXPIRY),
      `select-worker --pitch <pitchId> --worker ${alice}`,
    ],
    [aPitchTask('open', [alice, bob]), byRequester, until(EXPIRY), 'select-worker --pitch <pitchId> --worker <worker>'],
  ],
  submit: [
    [aSnapshot(), byWorker, until(EXPIRY), 'submit --file <path>'],
    [aClaim('claimed'), by('worker', alice), until(EXPIRY), 'submit --file <path>'],
  ],
  submit_proof: [
    [aSnapshot({ mode: 'benchmark' }), byPayingWorker, until(EXPIRY), 'proof --data <data> --type <type>'],
  ],
  accept: [
    [oneStands, byRequester, always, `accept --worker ${alice}`],
    [twoStand, byRequester, always, 'accept --worker <worker>'],
    [aClaim('pending_approval'), byRequester, always, `accept --worker ${alice}`],
  ],
  accept_submissions: [
    [oneStands, byRequester, always, `accept-submissions --winner ${alice}:<share>[:<submissionId>]`],
    [twoStand, byRequester, always, 'accept-submissions --winner <worker>:<share>[:<submissionId>]'],
  ],
  reject_submission: [
    [oneStands, byRequester, always, `reject-submission --worker ${alice}`],
    [twoStand, byRequester, always, 'reject-submission --worker <worker>'],
  ],
  update: [[english, byRequester, always, 'update --<field> <value>']],
  cancel: [[english, byRequester, always, 'cancel']],
  forfeit: [[aClaim('claimed'), by('requester', requester), from(EXPIRY), 'forfeit']],
  evaluate: [
    [anEvaluatedClaim('review'), byEvaluator, until(EXPIRY), `${anyVerdict} ${alice}:<usdc>:<rank>`],
    [anEvaluatedContest('open'), byEvaluator, until(END), `${anyVerdict} <worker>:<usdc>:<rank>`],
    [
      anEvaluatedContest('open', { soleActiveWorker: bob }),
      byEvaluator,
      { ...until(END), at: EXPIRY },
      `${anyVerdict} ${bob}:<usdc>:<rank>`,
    ],
    [
      anEvaluatedContest('open'),
      byEvaluator,
      { ...until(END), at: EXPIRY - 1n },
      'evaluate --verdict approve --award <worker>:<usdc>:<rank>',
    ],
  ],
  appeal: [
    [anEvaluatedClaim('appealing'), by('worker', alice, 1000n), until(EXPIRY), 'appeal'],
    [anEvaluatedContest('appealing'), byPayingWorker, until(EXPIRY), 'appeal'],
    [anEvaluatedContest('appealing', { soleActiveWorker: bob }), by('worker', bob, 1000n), until(EXPIRY), 'appeal'],
  ],
  resolve_dispute: [
    [
      anEvaluatedClaim('disputed'),
      byResolver,
      until(EXPIRY),
      `resolve-dispute --verdict <approve|partial> --award ${alice}:<usdc>:<rank>`,
    ],
    [
      anEvaluatedContest('disputed'),
      byResolver,
      until(EXPIRY),
      'resolve-dispute --verdict <approve|partial> --award <worker>:<usdc>:<rank>',
    ],
  ],
  finalize_verdict: [
    [anEvaluatedClaim('appealing'), byAnyone, from(EXPIRY), 'finalize-verdict'],
    [anEvaluatedClaim('disputed'), byAnyone, from(EXPIRY), 'finalize-verdict'],
  ],
  evaluator_timeout: [
    [anEvaluatedClaim('review'), byRequester, from(EXPIRY), 'evaluator-timeout'],
    [anEvaluatedContest('open'), byRequester, from(END), 'evaluator-timeout'],
  ],
  refund_expired: [aSnapshot(), aClaim('claimed'), dutch].flatMap((task): Row[] => [
    [task, byRequester, from(EXPIRY), 'refund-expired'],
    [task, by('anyone', null, 1000n), from(EXPIRY), 'refund-expired'],
  ]),
  settle_stale: [
    [aClaim('pending_approval'), byAnyone, from(EXPIRY + 90n * DAY), 'settle-stale'],
    [anEvaluatedClaim('review'), byAnyone, from(EXPIRY + 90n * DAY), 'settle-stale'],
    [dutch, byAnyone, from(EXPIRY + 90n * DAY), 'settle-stale'],
    [aSnapshot(), byAnyone, from(EXPIRY + 90n * DAY), 'settle-stale'],
    [anEvaluatedContest('open'), byAnyone, from(END + 90n * DAY), 'settle-stale'],
  ],
  rate: [[aSnapshot({ status: 'completed', awards }), byRequester, always, `rate --worker ${bob} --rating <0-100>`]],
}

const cases = Object.entries(rows).flatMap(([action, offers]) =>
  offers.map(([task, who, time, command]) => ({ action, task, who, time, command })),
)

test.each(cases)('$action by $who.role: $command', ({ action, task, who, time: { at, ...window }, command }) => {
  const [verb, ...rest] = command.split(' ')
  const offers = listPendingActions(task, at).filter((offer) => offer.action === action && offer.role === who.role)
  const targetWorker = action === 'rate' ? bob : null
  expect(offers).toEqual([
    { action, ...who, ...window, command: ['task', verb, taskId, ...rest].join(' '), targetWorker },
  ])
})

test.each(cases)(
  'given $action by $who.role, then it is offered from its notice until the second before its end',
  ({ action, task, time: { availableAfter, availableUntil } }) => {
    const isOffered = (now: bigint) => listPendingActions(task, now).some((offer) => offer.action === action)
    if (availableAfter !== null) {
      const firstOffer = availableAfter - (action === 'settle_stale' ? NOTICE : 0n)
      expect([firstOffer - 1n, firstOffer].map(isOffered)).toEqual([false, true])
    }
    if (availableUntil !== null) expect([availableUntil - 1n, availableUntil].map(isOffered)).toEqual([true, false])
  },
)

test.each([
  ['english', 1],
  ['reverse_english', 500],
] as const)('given an %s auction at the smallest bid with %d bids, then no bid is offered', (auctionType, bidCount) => {
  const offers = listPendingActions(anAuction(auctionType, { bids, bidCount }), BID_DEADLINE - 1n)
  expect(offers.map(({ action }) => action)).not.toContain('bid')
})
