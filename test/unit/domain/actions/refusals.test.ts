import { describe, expect, test } from 'vitest'
import { type ActionArgs, actionRules } from '../../../../api/domain/actions/action-rules.ts'
import { admit, admitBy } from '../../../../api/domain/actions/admit.ts'
import { assignEvaluator } from '../../../../api/domain/actions/assign-evaluator.ts'
import { objectToDelivery } from '../../../../api/domain/actions/object.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { auctionTypes } from '../../../../protocol/rules/selectors.ts'
import { type TaskStatus, taskStatuses } from '../../../../protocol/rules/task-status.ts'
import { termsHashOf } from '../../../../protocol/terms-hash.ts'
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
  deliverableOf,
  EXPIRY,
  PITCH_DEADLINE,
  pitchId,
  requester,
  stranger,
  taskId,
} from '../../../support/task-snapshots.ts'
import { anEvaluatedClaim, anEvaluatedContest } from '../evaluated-snapshots.ts'
import { aSentence } from '../sentence.ts'

/**
 * Each refusal of the rule table once, beside what is admitted just outside it; `test/chain/rules` walks the contract
 * and the rules side by side. In evaluated tasks carol evaluates, for a tenth, and the stranger resolves.
 */

type Wallet = `0x${string}`
interface Args extends ActionArgs {
  object: object
  assign_evaluator: Parameters<NonNullable<typeof assignEvaluator.check>>[1]['args']
}
type Action = keyof Args
interface Request {
  task: TaskSnapshot
  /** Unknown unless given: the request has no payment yet. */
  actor?: Wallet | null
  /** Before every deadline unless given. */
  now?: bigint
  args?: object
}
/** The refusal is its status, its detail and the field it names, if any; `admitted` is none. */
type Row = [refusal: string, given: string, Request]

function answerOf(action: Action, { task, actor = null, now = BID_DEADLINE - 1n, args = {} }: Request) {
  const request = { actor, now, args: args as never }
  if (action === 'object') return admitBy(objectToDelivery, task, request)
  if (action === 'assign_evaluator') return admitBy(assignEvaluator, task, request)
  return admit(action, task, request)
}

function refusalOf(action: Action, request: Request): string {
  const refusal = answerOf(action, request)
  if (refusal === null) return 'admitted'
  expect(refusal.message).toMatch(aSentence)
  expect(refusal.payerMismatch).toBe(refusal.failure === 'payer_mismatch' ? true : undefined)
  return [refusal.status, refusal.failure, ...(refusal.field === undefined ? [] : [refusal.field])].join(' ')
}

const contested = aContest({ [alice]: 'standing', [bob]: 'rejected' })
const benchmark = { ...contested, mode: 'benchmark' } as const
const judged = anEvaluatedContest('open')
const delivery = anEvaluatedClaim('review')
const END = EXPIRY + 3600n
const stale = 90n * 86_400n
const TEN_YEARS = 315_360_000n
const worker = (address: Wallet) => ({ worker: address })
const paused = <Task extends TaskSnapshot>(task: Task) => ({ ...task, entriesPaused: true })

/** A write that an entry is made by: its worker pays, and neither rejected nor judging wallets may. */
const entryRows = (task: TaskSnapshot, args: (address: Wallet) => object): Row[] => [
  ['admitted', 'a worker before any payment', { task, args: args(alice) }],
  ['admitted', 'the requester as worker', { task, actor: requester, args: args(requester) }],
  ['403 payer_mismatch workerAddress', 'another payer', { task, actor: stranger, args: args(alice) }],
  ...[{ evaluator: carol }, { disputeResolver: carol }].map(
    (judge): Row => [
      '403 judge_cannot_enter workerAddress',
      `the ${Object.keys(judge)[0]} as worker`,
      { task: { ...task, ...judge }, args: args(carol) },
    ],
  ),
]

/** A deadline: `until` is the first second that is too late, `from` the first that is not too early. */
const untilRows = (until: bigint, request: Request): Row[] => [
  ['admitted', 'the last second', { ...request, now: until - 1n }],
  ['409 deadline_passed', 'the deadline', { ...request, now: until }],
  ['409 deadline_passed', 'the second after the deadline', { ...request, now: until + 1n }],
]
const fromRows = (from: bigint, request: Request): Row[] => [
  ['409 too_early', 'the second before', { ...request, now: from - 1n }],
  ['admitted', 'the first second', { ...request, now: from }],
  ['admitted', 'later', { ...request, now: from + 1n }],
]
const onlyRows = (refusal: string, eligible: Wallet[], request: Request): Row[] =>
  [requester, alice, bob, carol, stranger].map((actor) => [
    eligible.includes(actor) ? 'admitted' : refusal,
    `the wallet ${actor.slice(0, 4)}`,
    { ...request, actor },
  ])

const anAward = (address: Wallet, amount = 1n, rank = 1) => ({ worker: address, amount, rank })
const aVerdict = (fields: object = {}) => ({ verdict: 'approve', score: 1000, confidence: 1000, awards: [], ...fields })
const verdictRow = (refusal: string, fields: { awards?: object[] }, given = JSON.stringify(fields, toText)): Row => [
  refusal,
  `the verdict ${given}`,
  { task: judged, now: EXPIRY, args: aVerdict(fields) },
]
const toText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
const [most, more] = [4_500_000n, 4_500_001n]

const half = (address: Wallet) => ({ worker: address, shareBps: 5000 })
const all = (address: Wallet, pinned?: object | null) => ({ worker: address, shareBps: 10_000, pinned })
const fifty = Array.from({ length: 50 }, (_, index): Wallet => `0x${(index + 1).toString(16).padStart(40, '0')}`)
const two = aContest({ [alice]: 'standing', [bob]: 'standing', [carol]: 'rejected' })
const splitRow = (refusal: string, given: string, winners: object[], task = two): Row => [
  refusal,
  given,
  { task, now: EXPIRY + 1n, args: { winners } },
]
const pinned = { id: aHashOf('ab'), taskId, worker: alice, deliverable: deliverableOf(alice), rejected: false }
const uneven = [
  { worker: alice, shareBps: 1 },
  { worker: bob, shareBps: 9999 },
]

const aBid = (auctionType: 'english' | 'reverse_english', facts: Partial<TaskSnapshot> = {}, lowest = 7000n) => {
  const bids = [[alice, 9000n] as const, [bob, lowest] as const]
  return anAuction(auctionType, { bids, ...facts })
}
const bidRow = (
  refusal: string,
  given: string,
  task: TaskSnapshot,
  price: bigint,
  actor: Wallet | null = null,
): Row => [refusal, `${given}: ${price} in an ${task.auctionType} auction`, { task, actor, args: { price } }]
const [english, sealed] = [aBid('english'), aBid('reverse_english')]
/** Halfway between creation and the end of its movement: a clock is at 3 USDC, both ways. */
const NOON = (EXPIRY - 86_400n + BID_DEADLINE) / 2n
const [dutch, reverseDutch] = [anAuction('dutch'), anAuction('reverse_dutch')]
const clockRow = (refusal: string, given: string, task: TaskSnapshot, minPrice?: bigint, now = NOON): Row => [
  refusal,
  `${given} of a ${task.auctionType} auction`,
  { task, now, args: { minPrice } },
]

const pitched = aPitchTask('open', [alice, bob])
const aPitch = { id: pitchId, taskId, worker: bob }
const terms = { evaluator: carol, evaluatorFeeBps: 0 }

/** Before the deadline of entries of all tasks here, which is `BID_DEADLINE`. */
const NOW = BID_DEADLINE - 1000n
/** Changes that the requester asks for, at `NOW` unless given. */
const updateRows = (task: TaskSnapshot, ...cases: [refusal: string, terms: object, now?: bigint][]): Row[] =>
  cases.map(([refusal, changes, now = NOW]) => [
    refusal,
    `the change ${JSON.stringify(changes, toText)} of a ${task.mode} task`,
    { task, actor: requester, now, args: { textsChange: false, ...changes } },
  ])
const untouched = aSnapshot()
const [entered, rejected] = [aContest({ [alice]: 'standing' }), aContest({ [bob]: 'rejected' })]
const unpitched = aPitchTask('open', [])
const untilExpiry = { ...unpitched, pitchDeadline: EXPIRY }
const [openEnglish, openSealed] = [anAuction('english'), anAuction('reverse_english')]

const claimable = aClaim('open')
const awards = [
  { worker: alice, rated: false },
  { worker: bob, rated: true },
  { worker: requester, rated: false },
]
const completed = aSnapshot({ status: 'completed', awards })
const decisionRows = (action: 'accept' | 'reject_submission'): Row[] => [
  ...onlyRows('403 not_requester', [requester], { task: contested, args: worker(alice) }),
  ['admitted', 'a time after the expiry', { task: contested, now: EXPIRY + 1n, args: worker(alice) }],
  ['409 no_active_submission worker', 'a rejected worker', { task: contested, args: worker(bob) }],
  ['409 no_active_submission worker', 'a worker who did not enter', { task: contested, args: worker(stranger) }],
  [
    '409 no_active_submission',
    'no submission that stands',
    { task: aContest({ [bob]: 'rejected' }), args: worker(bob) },
  ],
  ['409 evaluator_decides', `an evaluator, at a ${action}`, { task: judged, args: worker(alice) }],
]

const rows: Record<Action, Row[]> = {
  claim: [
    ...entryRows(claimable, worker),
    ...untilRows(EXPIRY, { task: claimable, args: worker(bob) }),
    ['409 market_paused', 'a pause', { task: paused(claimable), args: worker(bob) }],
    ['admitted', 'its terms', { task: claimable, args: { worker: bob, termsHash: termsHashOf(claimable) } }],
    [
      '409 terms_changed termsHash',
      'terms from before a change',
      { task: { ...claimable, reward: 1n }, args: { worker: bob, termsHash: termsHashOf(claimable) } },
    ],
  ],
  bid: [
    ...untilRows(BID_DEADLINE, { task: sealed, args: { price: 5000n } }),
    ...(['english', 'reverse_english'] as const).flatMap((type) => {
      const task = anAuction(type)
      return [
        bidRow('admitted', 'the smallest bid', task, 1000n),
        bidRow('400 invalid_price price', 'a smaller one', task, 999n),
        bidRow('admitted', 'the maximum price', task, task.reward),
        bidRow('400 bid_too_high price', 'more than it', task, task.reward + 1n),
        bidRow('403 own_task', 'the requester as payer', task, 5000n, requester),
        bidRow('409 market_paused', 'a pause', paused(task), 5000n),
        bidRow('403 judge_cannot_enter', 'the evaluator as payer', { ...task, evaluator: bob }, 5000n, bob),
        bidRow('403 judge_cannot_enter', 'the resolver as payer', { ...task, disputeResolver: bob }, 5000n, bob),
      ]
    }),
    ...[null, alice, bob, carol].flatMap((actor) => [
      bidRow('admitted', 'less than every bid', english, 6990n, actor),
      bidRow('409 bid_not_lower price', 'no less than the lowest bid', english, 7000n, actor),
    ]),
    bidRow('409 bid_not_lower', 'no lower bid being possible', aBid('english', {}, 1000n), 1000n),
    bidRow('admitted', 'less than the payer’s own bid', sealed, 8990n, alice),
    bidRow('409 bid_not_lower price', 'no less than the payer’s own bid', sealed, 9000n, alice),
    bidRow('admitted', 'more than the bids of others', sealed, 5_000_000n, carol),
    ...[1000n, 7000n, 5_000_000n].map((price) => bidRow('admitted', 'any price before a payment', sealed, price)),
    bidRow('admitted', 'the lead after 500 bids', { ...english, bidCount: 500 }, 6999n, carol),
    bidRow('admitted', 'the lead after 500 bids', { ...sealed, bidCount: 500 }, 6999n, carol),
    bidRow('409 bid_limit_reached price', 'no lead after 500 bids', { ...sealed, bidCount: 500 }, 7000n, carol),
    bidRow('admitted', 'no lead after 500 bids, before a payment', { ...sealed, bidCount: 500 }, 7000n),
    bidRow('admitted', 'no lead after 499 bids', { ...sealed, bidCount: 499 }, 7000n, carol),
  ],
  auction_accept: [
    ...untilRows(EXPIRY, { task: dutch }),
    ...[dutch, reverseDutch].flatMap((task) => [
      ...[undefined, 0n, 3_000_000n].map((least) => clockRow('admitted', `the minimum ${least}`, task, least)),
      clockRow('409 price_below_minimum minPrice', 'a minimum above the price', task, 3_000_001n),
      clockRow('409 market_paused', 'a pause', paused(task)),
    ]),
    clockRow('admitted', 'the floor, from the deadline on,', dutch, 1_000_000n, BID_DEADLINE),
    clockRow('409 price_below_minimum minPrice', 'more than the floor', dutch, 1_000_001n, BID_DEADLINE),
    clockRow('admitted', 'the ceiling, from the deadline on,', reverseDutch, 5_000_000n, BID_DEADLINE),
    // A head from before the task’s block: the clock has not moved.
    clockRow('admitted', 'the start, before the creation,', dutch, dutch.reward, dutch.createdAt - 60n),
    clockRow(
      '409 price_below_minimum minPrice',
      'more than the start',
      dutch,
      dutch.reward + 1n,
      dutch.createdAt - 60n,
    ),
    ['403 own_task', 'the requester as payer', { task: dutch, actor: requester }],
    ['403 judge_cannot_enter', 'the evaluator as payer', { task: { ...dutch, evaluator: bob }, actor: bob }],
  ],
  select_winner: [
    ...fromRows(BID_DEADLINE, { task: english }),
    ...untilRows(EXPIRY, { task: sealed }),
    ...onlyRows('', [requester, alice, bob, carol, stranger], { task: english, now: BID_DEADLINE }),
    ['admitted', 'a pause', { task: paused(english), now: BID_DEADLINE }],
    ['409 no_bids', 'no bid', { task: anAuction('english'), now: BID_DEADLINE }],
  ],
  pitch: [
    ...entryRows(pitched, worker),
    ...untilRows(PITCH_DEADLINE, { task: pitched, args: worker(bob) }),
    ...untilRows(EXPIRY, { task: { ...pitched, pitchDeadline: EXPIRY + 10n }, args: worker(bob) }),
    ['409 market_paused', 'a pause', { task: paused(pitched), args: worker(bob) }],
  ],
  select_worker: [
    ...onlyRows('403 not_requester', [requester], { task: pitched, args: worker(bob) }),
    ...untilRows(EXPIRY, { task: pitched, args: worker(bob) }),
    ['admitted', 'a pause', { task: paused(pitched), args: worker(bob) }],
    ['admitted', 'a pitch of the worker', { task: pitched, args: { worker: bob, pitch: aPitch } }],
    ['409 no_pitch workerAddress', 'a worker without one', { task: pitched, args: worker(carol) }],
    ['409 no_pitch', 'no pitch at all', { task: aPitchTask('open', []), args: worker(alice) }],
    ...[null, { ...aPitch, worker: alice }, { ...aPitch, taskId: aHashOf('99') }].map(
      (pitch): Row => [
        '409 unknown_pitch pitchId',
        `the pitch ${JSON.stringify(pitch)}`,
        { task: pitched, args: { worker: bob, pitch } },
      ],
    ),
  ],
  submit: [
    ...entryRows(contested, worker),
    ...untilRows(EXPIRY, { task: contested, args: worker(stranger) }),
    ['409 worker_rejected', 'a rejected worker', { task: contested, args: worker(bob) }],
    ['admitted', 'the worker who claimed', { task: aClaim('claimed'), actor: alice, args: worker(alice) }],
    ['403 not_worker workerAddress', 'another worker', { task: aClaim('claimed'), args: worker(bob) }],
    [
      '403 not_worker workerAddress',
      'a worker not selected',
      { task: aPitchTask('worker_selected', [alice, bob]), args: worker(bob) },
    ],
    ...untilRows(EXPIRY, { task: aClaim('claimed'), args: worker(alice) }),
  ],
  submit_proof: [
    ...entryRows(benchmark, (address) => ({ worker: address, isRepeated: false })),
    ...untilRows(EXPIRY, { task: benchmark, args: worker(alice) }),
    ['409 worker_rejected', 'a rejected worker', { task: benchmark, args: worker(bob) }],
    [
      '409 duplicate_submission proofData',
      'data again',
      { task: benchmark, args: { ...worker(alice), isRepeated: true } },
    ],
    ['admitted', 'a pause', { task: paused(benchmark), args: worker(alice) }],
  ],
  accept: [
    ...decisionRows('accept'),
    ['admitted', 'a delivery, at any time', { task: aClaim('pending_approval'), now: EXPIRY, args: worker(alice) }],
    ['409 no_active_submission worker', 'another worker', { task: aClaim('pending_approval'), args: worker(bob) }],
  ],
  reject_submission: decisionRows('reject_submission'),
  accept_submissions: [
    ...onlyRows('403 not_requester', [requester], { task: two, args: { winners: [half(alice), half(bob)] } }),
    splitRow('409 evaluator_decides', 'an evaluator', [all(alice)], judged),
    splitRow('admitted', 'one winner', [all(alice)]),
    splitRow('400 no_winners winners', 'no winner', []),
    ...[9999, 10_001, 0, 20_000].map((sum) =>
      splitRow('400 invalid_shares winners', `the sum ${sum}`, [half(alice), { worker: bob, shareBps: sum - 5000 }]),
    ),
    splitRow(
      'admitted',
      'fifty winners',
      fifty.map((address) => ({ worker: address, shareBps: 200 })),
      aContest(Object.fromEntries(fifty.map((address) => [address, 'standing']))),
    ),
    splitRow(
      '400 too_many_winners winners',
      '51 winners',
      Array.from({ length: 51 }, () => half(alice)),
    ),
    splitRow('400 duplicate_winner winners.1.worker', 'a worker twice', [half(alice), half(alice)]),
    splitRow('409 no_active_submission winners.1.worker', 'a rejected worker', [half(alice), half(carol)]),
    splitRow('409 no_active_submission winners.1.worker', 'a stranger', [half(alice), half(stranger)]),
    // Though rank 1 would get the remainder.
    splitRow('400 zero_award winners.0.share', 'a share below a base unit', uneven, { ...two, reward: 9999n }),
    splitRow('admitted', 'a share of a base unit', uneven, { ...two, reward: 10_000n }),
    splitRow('admitted', 'a submission of the winner', [all(alice, pinned)]),
    splitRow('409 no_active_submission winners.0.worker', 'a submission of a worker without an active one', [
      all(carol, { ...pinned, worker: carol }),
    ]),
    ...[null, { ...pinned, worker: bob }, { ...pinned, taskId: aHashOf('22') }, { ...pinned, rejected: true }].map(
      (one) => splitRow('409 unknown_submission winners.0.submissionId', JSON.stringify(one), [all(alice, one)]),
    ),
  ],
  update: [
    ...onlyRows('403 not_requester', [requester], { task: contested, args: { textsChange: true } }),
    ['admitted', 'no payment yet', { task: untouched, args: { textsChange: true } }],
    ...updateRows(
      untouched,
      ['admitted', { reward: 5_000_001n }],
      ['admitted', { reward: 4_999_999n }],
      ['400 invalid_reward reward', { reward: 0n }],
      ['400 invalid_reward reward', { reward: 999n }],
      ['admitted', { reward: 1000n }],
      ['admitted', { reward: 2n ** 72n - 1n }],
      ['400 invalid_reward reward', { reward: 2n ** 72n }],
      ['admitted', { expiryTime: EXPIRY - 1n }],
      ['400 invalid_expiry expiryTime', { expiryTime: NOW }],
      ['admitted', { expiryTime: NOW + 1n }],
      ['admitted', { expiryTime: NOW + TEN_YEARS }],
      ['400 invalid_expiry expiryTime', { expiryTime: NOW + TEN_YEARS + 1n }],
      // A term that does not change is no change, also when its time has passed.
      ['admitted', { expiryTime: EXPIRY, textsChange: true }, EXPIRY + 1n],
      ['409 nothing_to_update', {}],
      ['409 nothing_to_update', { reward: 5_000_000n }],
      ['409 nothing_to_update', { expiryTime: EXPIRY }],
      ['409 nothing_to_update', { reward: 5_000_000n, expiryTime: EXPIRY }],
      ...['pitchDeadline', 'bidDeadline', 'auctionFloorPrice', 'auctionStartPrice'].map((field): [string, object] => [
        `400 wrong_mode ${field}`,
        { [field]: EXPIRY, textsChange: true },
      ]),
    ),
    ...updateRows(
      paused(untouched),
      ['409 market_paused reward', { reward: 5_000_001n }],
      ['admitted', { reward: 4_999_999n }],
      ['admitted', { expiryTime: EXPIRY + 1n }],
    ),
    ...updateRows(
      entered,
      ['admitted', { reward: 5_000_001n }],
      ['admitted', { reward: 5_000_001n }, EXPIRY + 1n],
      ['admitted', { expiryTime: EXPIRY + 10n }],
      ['admitted', { expiryTime: EXPIRY + 10n }, EXPIRY + 5n],
    ),
    // Entries lock the terms also when all of them are rejected.
    ...[entered, rejected, pitched].flatMap((task) =>
      updateRows(
        task,
        ['409 terms_locked reward', { reward: 4_999_999n }],
        ['409 terms_locked expiryTime', { expiryTime: EXPIRY - 1n }],
      ),
    ),
    ...updateRows(
      pitched,
      ['admitted', { reward: 5_000_001n }],
      ['admitted', { pitchDeadline: PITCH_DEADLINE + 1n }],
      ['409 terms_locked pitchDeadline', { pitchDeadline: PITCH_DEADLINE - 1n }],
    ),
    ...updateRows(
      english,
      ['409 terms_locked', { textsChange: true }],
      ['409 terms_locked', { reward: 6_000_000n }],
      ['409 terms_locked', { expiryTime: EXPIRY + 1n }],
      ['409 terms_locked', { bidDeadline: BID_DEADLINE + 1n }],
    ),
    ...(
      [
        ['pitchDeadline', unpitched],
        ['bidDeadline', openEnglish],
        ['bidDeadline', dutch],
      ] as const
    ).flatMap(([field, task]) =>
      updateRows(
        task,
        ['admitted', { [field]: BID_DEADLINE + 1n }],
        ['admitted', { [field]: BID_DEADLINE - 1n }],
        ['admitted', { [field]: NOW + 1n }],
        [`400 invalid_deadline ${field}`, { [field]: NOW }],
        ['409 nothing_to_update', { [field]: BID_DEADLINE }],
      ),
    ),
    ...updateRows(
      unpitched,
      ['admitted', { pitchDeadline: EXPIRY }],
      ['400 deadline_after_expiry pitchDeadline', { pitchDeadline: EXPIRY + 1n }],
      ['admitted', { pitchDeadline: PITCH_DEADLINE + 2n }, PITCH_DEADLINE + 1n],
      ['admitted', { textsChange: true }, PITCH_DEADLINE + 1n],
      ['400 wrong_mode bidDeadline', { bidDeadline: EXPIRY, textsChange: true }],
    ),
    // The deadline of entries does not move with the expiry: both must be given.
    ...updateRows(
      untilExpiry,
      ['400 deadline_after_expiry expiryTime', { expiryTime: EXPIRY - 100n }],
      ['admitted', { expiryTime: EXPIRY - 100n, pitchDeadline: EXPIRY - 100n }],
    ),
    // Bids need time to be chosen from, a clock none.
    ...updateRows(
      openEnglish,
      ['admitted', { bidDeadline: EXPIRY - 1n }],
      ['400 deadline_after_expiry bidDeadline', { bidDeadline: EXPIRY }],
      ['400 deadline_after_expiry expiryTime', { expiryTime: BID_DEADLINE }],
      ['admitted', { expiryTime: BID_DEADLINE + 1n }],
      ['admitted', { reward: 6_000_000n, bidDeadline: BID_DEADLINE }, BID_DEADLINE + 1n],
      ['400 wrong_mode pitchDeadline', { pitchDeadline: EXPIRY, textsChange: true }],
      ['400 wrong_mode auctionFloorPrice', { auctionFloorPrice: EXPIRY, textsChange: true }],
    ),
    ...updateRows(openSealed, ['400 deadline_after_expiry bidDeadline', { bidDeadline: EXPIRY }]),
    ...updateRows(
      dutch,
      ['admitted', { bidDeadline: EXPIRY }],
      ['admitted', { expiryTime: BID_DEADLINE }],
      ['admitted', { reward: 1_000_000n }],
      ['400 invalid_price reward', { reward: 999_999n }],
      ['admitted', { reward: 999_999n, auctionFloorPrice: 999_999n }],
      ['400 wrong_mode auctionStartPrice', { auctionStartPrice: EXPIRY, textsChange: true }],
    ),
    ...updateRows(reverseDutch, ['400 wrong_mode auctionFloorPrice', { auctionFloorPrice: EXPIRY, textsChange: true }]),
    ...updateRows(benchmark, ['400 wrong_mode auctionStartPrice', { auctionStartPrice: EXPIRY, textsChange: true }]),
    ...(
      [
        ['auctionFloorPrice', dutch],
        ['auctionStartPrice', reverseDutch],
      ] as const
    ).flatMap(([field, task]) =>
      updateRows(
        task,
        ['admitted', { [field]: 1n }],
        ['admitted', { [field]: 5_000_000n }],
        [`400 invalid_price ${field}`, { [field]: 0n }],
        [`400 invalid_price ${field}`, { [field]: 5_000_001n }],
        ['admitted', { [field]: 5_000_001n, reward: 5_000_001n }],
        ['409 nothing_to_update', { [field]: 1_000_000n }],
      ),
    ),
  ],
  cancel: [
    ...onlyRows('403 not_requester', [requester], { task: aSnapshot() }),
    ['admitted', 'rejected work alone, after the expiry', { task: aContest({ [bob]: 'rejected' }), now: EXPIRY + 1n }],
    ['409 active_submissions_exist', 'a submission that stands', { task: contested }],
    ['409 active_submissions_exist', 'one beside an evaluator', { task: judged }],
    ['409 bids_exist', 'a bid', { task: sealed }],
  ],
  refund_expired: [
    ...fromRows(EXPIRY, { task: aSnapshot(), actor: stranger }),
    ...fromRows(EXPIRY, { task: aClaim('claimed'), actor: stranger }),
    ['409 active_submissions_exist', 'a submission that stands', { task: contested, now: EXPIRY }],
    ['409 active_submissions_exist', 'one beside an evaluator', { task: judged, now: EXPIRY }],
  ],
  settle_stale: [
    ...fromRows(EXPIRY + stale, { task: aSnapshot(), actor: stranger }),
    ...fromRows(EXPIRY + stale, { task: aClaim('pending_approval'), actor: stranger }),
    ...fromRows(END + stale, { task: judged, actor: stranger }),
  ],
  forfeit: [
    ...onlyRows('403 not_requester', [requester], { task: aClaim('claimed'), now: EXPIRY }),
    ...fromRows(EXPIRY, { task: aClaim('claimed') }),
  ],
  rate: [
    ...onlyRows('403 not_requester', [requester], { task: completed, args: worker(alice) }),
    ['409 already_rated worker', 'a rated award', { task: completed, args: worker(bob) }],
    ['409 not_awarded worker', 'a worker without an award', { task: completed, args: worker(stranger) }],
    ['403 self_rating worker', 'an award to the requester', { task: completed, args: worker(requester) }],
  ],
  evaluate: [
    ...onlyRows('403 not_evaluator', [carol], { task: delivery, args: aVerdict() }),
    ...onlyRows('403 not_evaluator', [carol], {
      task: judged,
      now: EXPIRY,
      args: aVerdict({ awards: [anAward(alice)] }),
    }),
    ...untilRows(EXPIRY, { task: delivery, args: aVerdict() }),
    ...untilRows(END, { task: judged, args: aVerdict({ verdict: 'reject' }) }),
    ['409 no_evaluator', 'a contest without one', { task: contested, args: aVerdict({ verdict: 'reject' }) }],
    ['409 no_evaluator', 'a delivery without one', { task: aClaim('review'), args: aVerdict({ verdict: 'reject' }) }],
    ['409 no_active_submission', 'no entry', { task: { ...judged, activeSubmissionCount: 0 }, args: aVerdict() }],
    // A contest takes entries until its expiry: only an approval of everything ends it before.
    ['admitted', 'all of a contest', { task: judged, args: aVerdict({ awards: [anAward(alice, most)] }) }],
    [
      '409 contest_still_open awards',
      'a part',
      { task: judged, args: aVerdict({ awards: [anAward(alice, most - 1n)] }) },
    ],
    ['409 contest_still_open verdict', 'a rejection', { task: judged, args: aVerdict({ verdict: 'reject' }) }],
    [
      '409 contest_still_open verdict',
      'a partial verdict of all there is',
      { task: judged, args: aVerdict({ verdict: 'partial', awards: [anAward(alice, most)] }) },
    ],
    verdictRow('admitted', aVerdict({ verdict: 'reject' })),
    verdictRow('admitted', aVerdict({ verdict: 'partial', awards: [anAward(bob, most - 1n, 2), anAward(alice)] })),
    verdictRow('admitted', aVerdict({ awards: [anAward(alice, 1n, 3), anAward(bob, 1n, 255)] })),
    verdictRow('admitted', aVerdict({ awards: [anAward(alice)], score: 0, confidence: 0 })),
    verdictRow('400 invalid_score score', aVerdict({ score: 1001 })),
    verdictRow('400 invalid_score score', aVerdict({ score: -1 })),
    verdictRow('400 invalid_score confidence', aVerdict({ confidence: 1001 })),
    verdictRow('400 awards_not_allowed awards', aVerdict({ verdict: 'reject', awards: [anAward(alice)] })),
    verdictRow('400 no_winners awards', aVerdict({ verdict: 'partial' })),
    verdictRow('400 no_winners awards', aVerdict()),
    verdictRow(
      '400 too_many_winners awards',
      { awards: fifty.map((one) => anAward(one)).concat(anAward(bob)) },
      'of 51',
    ),
    verdictRow('409 no_active_submission awards.0.worker', { awards: fifty.map((one) => anAward(one)) }),
    verdictRow('400 zero_award awards.1.amount', aVerdict({ awards: [anAward(alice), anAward(bob, 0n, 2)] })),
    verdictRow('400 invalid_rank awards.0.rank', aVerdict({ awards: [anAward(alice, 1n, 0)] })),
    verdictRow('400 invalid_rank awards.0.rank', aVerdict({ awards: [anAward(alice, 1n, 256)] })),
    verdictRow('400 duplicate_rank awards.1.rank', aVerdict({ awards: [anAward(alice, 1n, 7), anAward(bob, 1n, 7)] })),
    verdictRow('400 duplicate_winner awards.1.worker', aVerdict({ awards: [anAward(alice), anAward(alice, 1n, 2)] })),
    verdictRow('409 no_active_submission awards.1.worker', { awards: [anAward(alice), anAward(stranger, 1n, 2)] }),
    verdictRow('409 no_active_submission awards.0.worker', aVerdict({ awards: [anAward(carol)] })),
    verdictRow('400 awards_exceed_escrow awards', aVerdict({ awards: [anAward(alice, more)] })),
    verdictRow('400 awards_exceed_escrow awards', { awards: [anAward(alice, most), anAward(bob, 1n, 2)] }),
    verdictRow('400 awards_exceed_escrow awards', aVerdict({ awards: [anAward(alice, 2n ** 96n - 1n)] })),
    ['admitted', 'all of a delivery in part', { task: delivery, args: aVerdict({ awards: [anAward(alice, most)] }) }],
    ['400 awards_exceed_escrow awards', 'more', { task: delivery, args: aVerdict({ awards: [anAward(alice, more)] }) }],
    ['409 not_selected_worker awards.0.worker', 'bob', { task: delivery, args: aVerdict({ awards: [anAward(bob)] }) }],
    // Of at most 5 USDC, 2 were accepted: the surplus has gone back, and a tenth is the evaluator's.
    ...(
      [
        ['admitted', 1_800_000n],
        ['400 awards_exceed_escrow awards', 1_800_001n],
      ] as const
    ).map(
      ([refusal, amount]): Row => [
        refusal,
        `an award of ${amount} in an auction`,
        {
          task: { ...delivery, mode: 'auction', auctionType: 'dutch', escrow: 2_000_000n },
          args: aVerdict({ awards: [anAward(alice, amount)] }),
        },
      ],
    ),
  ],
  appeal: [
    ...untilRows(EXPIRY, { task: anEvaluatedClaim('appealing'), actor: alice }),
    ...onlyRows('403 not_worker', [alice], { task: anEvaluatedClaim('appealing') }),
    ...(['approve', 'partial', 'reject'] as const).flatMap((verdict) =>
      onlyRows('403 not_worker', [alice, bob], { task: anEvaluatedContest('appealing', { verdict }) }),
    ),
    ...[anEvaluatedClaim, anEvaluatedContest].map(
      (make): Row => ['409 no_resolver', 'no resolver', { task: make('appealing', { disputeResolver: null }) }],
    ),
  ],
  resolve_dispute: [
    ...[anEvaluatedClaim('disputed'), anEvaluatedContest('disputed')].flatMap((task) => {
      const args = { verdict: 'partial', awards: [anAward(alice)] }
      return [...onlyRows('403 not_dispute_resolver', [stranger], { task, args }), ...untilRows(EXPIRY, { task, args })]
    }),
    ...(
      [
        ['400 no_winners awards', []],
        ['admitted', [anAward(alice, most)]],
        ['400 awards_exceed_escrow awards', [anAward(alice, more)]],
      ] as const
    ).map(
      ([refusal, given]): Row => [
        refusal,
        `the awards ${JSON.stringify(given, toText)}`,
        { task: anEvaluatedClaim('disputed'), args: { verdict: 'approve', awards: given } },
      ],
    ),
  ],
  finalize_verdict: [
    ...(['appealing', 'disputed'] as const).flatMap((status) => [
      ...fromRows(EXPIRY, { task: anEvaluatedClaim(status) }),
      ...fromRows(EXPIRY, { task: anEvaluatedContest(status) }),
      ...onlyRows('', [requester, alice, bob, carol, stranger], { task: anEvaluatedClaim(status), now: EXPIRY }),
    ]),
    // It waits for the resolver, not for the appealDeadline.
    ...fromRows(EXPIRY + 9n, { task: anEvaluatedClaim('disputed', { resolutionDeadline: EXPIRY + 9n }) }),
  ],
  evaluator_timeout: [
    ...onlyRows('403 not_requester', [requester], { task: delivery, now: EXPIRY }),
    ...fromRows(EXPIRY, { task: delivery }),
    ...fromRows(END, { task: judged, actor: requester }),
    ...fromRows(END, { task: { ...judged, activeSubmissionCount: 0, entries: new Map() } }),
    ['409 no_evaluator', 'no evaluator', { task: aSnapshot(), now: EXPIRY }],
  ],
  object: [
    ...onlyRows('403 not_requester', [requester], { task: aClaim('pending_approval'), now: EXPIRY }),
    ['409 already_objected', 'an objection', { task: aClaim('pending_approval', { objected: true }) }],
  ],
  assign_evaluator: [
    ...onlyRows('403 not_requester', [requester], { task: aSnapshot(), now: EXPIRY, args: terms }),
    ...[
      { submissionCount: 1 },
      { mode: 'pitch', pitchCount: 1 } as const,
      { mode: 'auction', bidCount: 1 } as const,
      { mode: 'claim', claimRound: 1 } as const,
    ].map(
      (facts): Row => [
        '409 terms_locked',
        `the entry ${JSON.stringify(facts)}`,
        { task: aSnapshot(facts), args: terms },
      ],
    ),
    ['409 evaluator_assigned', 'an evaluator', { task: { ...judged, submissionCount: 0 }, args: terms }],
    ...(
      [
        ['403 requester_cannot_judge evaluator', { evaluator: requester }],
        ['400 invalid_evaluator disputeResolver', { disputeResolver: carol }],
        // The platform's fee of the task is 750.
        ['admitted', { evaluatorFeeBps: 9250 }],
        ['400 fees_too_high evaluatorFeeBps', { evaluatorFeeBps: 9251 }],
      ] as const
    ).map(
      ([refusal, given]): Row => [
        refusal,
        `the terms ${JSON.stringify(given)}`,
        { task: aSnapshot(), args: { ...terms, ...given } },
      ],
    ),
  ],
}

describe.each(Object.entries(rows))('%s', (action, cases) => {
  test.each(cases)('%s: given %s', (refusal, _given, request) => {
    expect(refusalOf(action as Action, request)).toBe(refusal)
  })
})

const inStatus = (task: TaskSnapshot) => (status: TaskStatus) => ({ ...task, status })
/** The statuses that each action is possible in; every other one refuses it as `wrong_state`. */
const statusRows: [Action, (status: TaskStatus) => TaskSnapshot, TaskStatus[]][] = [
  ['claim', aClaim, ['open']],
  ['bid', inStatus(english), ['open']],
  ['auction_accept', inStatus(dutch), ['open']],
  ['select_winner', inStatus(english), ['open']],
  ['pitch', inStatus(pitched), ['open']],
  ['select_worker', inStatus(pitched), ['open']],
  ['submit', inStatus(contested), ['open']],
  ['submit', aClaim, ['claimed', 'worker_selected']],
  ['submit_proof', inStatus(benchmark), ['open']],
  ['accept', inStatus(contested), ['open']],
  ['accept', aClaim, ['pending_approval']],
  ['reject_submission', inStatus(contested), ['open']],
  ['accept_submissions', inStatus(contested), ['open']],
  ['update', inStatus(contested), ['open']],
  ['cancel', inStatus(aSnapshot()), ['open']],
  ['refund_expired', inStatus(aSnapshot()), ['open']],
  ['refund_expired', anEvaluatedClaim, ['open', 'claimed', 'worker_selected']],
  ['settle_stale', inStatus(aSnapshot()), ['open']],
  ['settle_stale', aClaim, ['open', 'claimed', 'worker_selected', 'pending_approval', 'review']],
  ['forfeit', aClaim, ['claimed']],
  ['rate', inStatus(completed), ['completed']],
  ['evaluate', anEvaluatedClaim, ['review']],
  ['evaluate', anEvaluatedContest, ['open']],
  ['appeal', anEvaluatedClaim, ['appealing']],
  ['appeal', anEvaluatedContest, ['appealing']],
  ['resolve_dispute', anEvaluatedClaim, ['disputed']],
  ['finalize_verdict', anEvaluatedClaim, ['appealing', 'disputed']],
  ['evaluator_timeout', anEvaluatedClaim, ['review']],
  ['evaluator_timeout', anEvaluatedContest, ['open']],
  ['object', aClaim, ['pending_approval']],
  ['assign_evaluator', inStatus(aSnapshot()), ['open']],
]

/** Arguments that no rule stumbles over; what they are refused for does not matter here. */
const anyArgs = { worker: alice, price: 5000n, winners: [], textsChange: true, ...aVerdict(), ...terms }

test.each(statusRows)('given any other status, then %s is refused', (action, make, statuses) => {
  const possible = taskStatuses.filter((status) => {
    const [first, second] = [BID_DEADLINE - 1n, END + stale].map((now) =>
      refusalOf(action, { task: make(status), now, args: anyArgs }),
    )
    return first !== '409 wrong_state' && second !== '409 wrong_state'
  })
  expect(possible.toSorted()).toEqual(statuses.toSorted())
})

const contests = ['bounty', 'benchmark']
const bidding = ['english', 'reverse_english']
const clocks = ['dutch', 'reverse_dutch']
/** A subtype of this version's future has the exits of every auction. */
const assigned = ['claim', 'pitch', ...auctionTypes, 'an unknown auction']
const everyKind = [...contests, ...assigned]
/** The kinds of tasks that have each action; every other one refuses it as `wrong_mode`. */
const kindsOf: Record<Action, string[]> = {
  claim: ['claim'],
  bid: bidding,
  auction_accept: clocks,
  select_winner: bidding,
  pitch: ['pitch'],
  select_worker: ['pitch'],
  submit: everyKind,
  submit_proof: ['benchmark'],
  accept: everyKind,
  accept_submissions: contests,
  reject_submission: contests,
  update: everyKind,
  cancel: everyKind,
  refund_expired: everyKind,
  settle_stale: everyKind,
  forfeit: ['claim'],
  rate: everyKind,
  evaluate: everyKind,
  appeal: everyKind,
  resolve_dispute: everyKind,
  finalize_verdict: everyKind,
  evaluator_timeout: everyKind,
  object: assigned,
  assign_evaluator: everyKind,
}
const kinds: Record<string, TaskSnapshot> = {
  ...Object.fromEntries(auctionTypes.map((type) => [type, anAuction(type)])),
  bounty: contested,
  benchmark,
  claim: claimable,
  pitch: pitched,
  'an unknown mode': aSnapshot({ mode: 'unknown' }),
  'an unknown auction': anAuction('english', { auctionType: 'unknown' }),
}

test.each(Object.entries(kindsOf))('given another kind of task, then %s is refused', (action, itsKinds) => {
  const isRefused = (task: TaskSnapshot) => refusalOf(action as Action, { task, args: anyArgs }) === '409 wrong_mode'
  const others = Object.keys(kinds).filter((kind) => isRefused(kinds[kind] ?? expect.fail(kind)))
  expect(
    Object.keys(kinds)
      .filter((kind) => !others.includes(kind))
      .toSorted(),
  ).toEqual(itsKinds.toSorted())
})

test.each<[string, Action, TaskSnapshot, object?]>([
  ['pitchDeadline is a term of a pitch task only, not of this one.', 'update', contested, { pitchDeadline: 1n }],
  ['A worker has entered: the reward cannot be lowered any more.', 'update', contested, { reward: 4_999_999n }],
  [
    `The bidDeadline (${EXPIRY}) must lie before the expiry (${EXPIRY}); give both to move both.`,
    'update',
    openEnglish,
    { bidDeadline: EXPIRY },
  ],
  [
    `The bidDeadline (${EXPIRY + 1n}) must not lie after the expiry (${EXPIRY}); give both to move both.`,
    'update',
    { ...dutch, bidCount: 0 },
    { bidDeadline: EXPIRY + 1n },
  ],
  [
    'A worker has entered: the expiryTime cannot be brought forward any more.',
    'update',
    contested,
    { expiryTime: EXPIRY - 1n },
  ],
  ['bidDeadline is a term of an auction task only, not of this one.', 'update', contested, { bidDeadline: 1n }],
  ['A reverse dutch auction takes no bids.', 'bid', reverseDutch],
  ['A bounty task takes no bids.', 'bid', contested],
  ['An english auction has no clock price to accept.', 'auction_accept', english],
  ['A dutch auction takes no bids, and so has no winner to select.', 'select_winner', dutch],
])('%s', (message, action, task, args = anyArgs) => {
  expect(answerOf(action, { task, args })?.message).toBe(message)
})

test.each([
  [dutch, 'it only falls.'],
  [reverseDutch, 'it rises until the bid deadline.'],
])(
  'given a price of the clock below the lowest one that is taken, then the refusal says where it goes',
  (task, end) => {
    const { message } = answerOf('auction_accept', { task, args: { minPrice: task.reward + 1n } }) ?? expect.fail()
    expect(message).toMatch(new RegExp(`^The clock price is \\d+ base units, below ${task.reward + 1n}; ${end}$`))
  },
)

test('given a sealed auction, then the count that grows with each replaced bid is in no refusal', () => {
  const refusals = (bidCount: number) =>
    (['update', 'cancel'] as const).map((action) =>
      answerOf(action, { task: { ...sealed, bidCount }, args: { textsChange: true } }),
    )
  expect(refusals(2)).toEqual(refusals(3))
})

test('given the rules, then each has a row', () => {
  expect(Object.keys(rows).toSorted()).toEqual([...Object.keys(actionRules), 'object', 'assign_evaluator'].toSorted())
})

function aHashOf(byte: string): Wallet {
  return `0x${byte.repeat(32)}`
}
