import fc from 'fast-check'
import { type Address, type Hex, zeroHash } from 'viem'
import type { EntryFacts, TaskSnapshot } from '../../api/domain/task-snapshot.ts'
import { type AuctionType, auctionTypes } from '../../protocol/rules/selectors.ts'

/** Wallets of rule tests, by their role. */
export const requester: Address = `0x${'aa'.repeat(20)}`
export const alice: Address = `0x${'a1'.repeat(20)}`
export const bob: Address = `0x${'b0'.repeat(20)}`
export const carol: Address = `0x${'c0'.repeat(20)}`
export const stranger: Address = `0x${'5e'.repeat(20)}`
export const workers = [alice, bob, carol] as const

export const taskId: Hex = `0x${'11'.repeat(32)}`
export const pitchId: Hex = `0x${'77'.repeat(32)}`
export const EXPIRY = 2_000_000_000n
export const PITCH_DEADLINE = EXPIRY - 3600n

/** A bounty of 5 USDC without submissions, open until `EXPIRY`. */
export function aSnapshot(facts: Partial<TaskSnapshot> = {}): TaskSnapshot {
  return {
    id: taskId,
    requester,
    mode: 'bounty',
    auctionType: null,
    status: 'open',
    reward: 5_000_000n,
    escrow: 5_000_000n,
    platformFeeBps: 750,
    contentHash: zeroHash,
    createdAt: EXPIRY - 86_400n,
    expiryTime: EXPIRY,
    pitchDeadline: null,
    bidDeadline: null,
    clockPrice: null,
    stakeBps: 0,
    tagHashes: [],
    hookSet: null,
    worker: null,
    price: null,
    lowestBid: null,
    pitchCount: 0,
    bidCount: 0,
    solePitch: null,
    claimRound: 0,
    objected: false,
    submissionCount: 0,
    activeSubmissionCount: 0,
    soleActiveWorker: null,
    evaluator: null,
    disputeResolver: null,
    evaluatorFeeBps: null,
    evaluationWindow: null,
    appealWindow: null,
    evaluatorDeadline: null,
    appealDeadline: null,
    resolutionDeadline: null,
    verdict: null,
    verdictAwarded: [],
    awards: [],
    taskVisibility: 'public',
    participants: [],
    viewers: [],
    entries: new Map(),
    entriesPaused: false,
    ...facts,
  }
}

/** The state of a worker's submissions. */
export type Fate = 'none' | 'standing' | 'rejected'

/** A bounty in which each worker's submissions have the given state, with consistent counts. */
export function aContest(fates: Partial<Record<Address, Fate>>, facts: Partial<TaskSnapshot> = {}): TaskSnapshot {
  const entries = new Map<Address, EntryFacts>()
  for (const [worker, fate] of Object.entries(fates) as [Address, Fate][]) {
    if (fate !== 'none') entries.set(worker, anEntry(worker, fate))
  }
  const active = [...entries].filter(([, { rejected }]) => !rejected).map(([worker]) => worker)
  return aSnapshot({
    entries,
    submissionCount: entries.size,
    activeSubmissionCount: active.length,
    soleActiveWorker: active.length === 1 ? (active[0] ?? null) : null,
    ...facts,
  })
}

/** The deliverable of a worker in `aContest`. */
export function deliverableOf(worker: Address): Hex {
  return `0x${worker.slice(2, 4).repeat(32)}`
}

/** The part of a worker without a submission. */
const nothing: EntryFacts = {
  submissionCount: 0,
  activeSubmissionCount: 0,
  rejected: false,
  pitched: false,
  bid: null,
  latestDeliverable: null,
}

function anEntry(worker: Address, fate: 'standing' | 'rejected'): EntryFacts {
  const rejected = fate === 'rejected'
  return {
    submissionCount: 1,
    activeSubmissionCount: rejected ? 0 : 1,
    rejected,
    pitched: false,
    bid: null,
    latestDeliverable: deliverableOf(worker),
  }
}

/** Any state of a bounty or benchmark, with every mixture of submissions and ratings. */
export const anyContest: fc.Arbitrary<TaskSnapshot> = fc
  .record({
    status: fc.constantFrom('open', 'open', 'open', 'completed', 'expired', 'cancelled'),
    fates: fc.array(fc.constantFrom<Fate>('none', 'standing', 'rejected'), { minLength: 3, maxLength: 3 }),
    rated: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    reward: fc.bigInt({ min: 1000n, max: 10n ** 12n }),
    entriesPaused: fc.boolean(),
    mode: fc.constantFrom('bounty', 'benchmark'),
  })
  .map(({ status, fates, rated, reward, entriesPaused, mode }) => {
    const task = aContest(Object.fromEntries(workers.map((worker, index) => [worker, fates[index] ?? 'none'])), {
      status: status as TaskSnapshot['status'],
      reward,
      entriesPaused,
      mode,
    })
    const awarded = [...task.entries].filter(([, { rejected }]) => !rejected).map(([worker]) => worker)
    const awards = awarded.map((worker, index) => ({ worker, rated: rated[index] === true }))
    return status === 'completed' ? { ...task, awards } : task
  })

/** A task of claim mode with a tenth of the reward at stake, in each status. */
export function aClaim(status: TaskSnapshot['status'], facts: Partial<TaskSnapshot> = {}): TaskSnapshot {
  const isAssigned = !['open', 'cancelled'].includes(status)
  const isDelivered = ['pending_approval', 'review', 'completed'].includes(status)
  return {
    ...(isDelivered ? aContest({ [alice]: 'standing' }) : aSnapshot()),
    mode: 'claim',
    status,
    stakeBps: 1000,
    worker: isAssigned ? alice : null,
    awards: status === 'completed' ? [{ worker: alice, rated: false }] : [],
    ...facts,
  }
}

/** Any state of a task of claim mode. */
export const anyClaim: fc.Arbitrary<TaskSnapshot> = fc
  .record({
    status: fc.constantFrom(
      ...(['open', 'open', 'claimed', 'claimed', 'pending_approval', 'review', 'completed', 'expired'] as const),
      'cancelled' as const,
    ),
    stakeBps: fc.constantFrom(0, 1, 1000, 10_000),
    claimRound: fc.nat(3),
    rated: fc.boolean(),
    evaluator: fc.constantFrom(null, null, carol),
    reward: fc.bigInt({ min: 1000n, max: 10n ** 12n }),
    entriesPaused: fc.boolean(),
  })
  .map(({ status, rated, evaluator, ...facts }) => {
    // In approval the requester decides: there is no evaluator, or no longer.
    const evaluated = status === 'pending_approval' ? null : evaluator
    const awards = status === 'completed' ? [{ worker: alice, rated }] : []
    return aClaim(status, { ...facts, evaluator: evaluated, awards })
  })

/** When bids end and clocks stop in `anAuction`: an hour before the expiry. */
export const BID_DEADLINE = EXPIRY - 3600n

/**
 * An open auction of 5 USDC at most. A clock moves between 1 USDC and that, for `BID_DEADLINE` - `createdAt` seconds;
 * `bids` are in the order of placement, base units.
 */
export function anAuction(
  auctionType: AuctionType,
  { bids = [], ...facts }: Partial<TaskSnapshot> & { bids?: readonly (readonly [Address, bigint])[] } = {},
): TaskSnapshot {
  const hasClock = auctionType === 'dutch' || auctionType === 'reverse_dutch'
  const lowest = bids.toSorted(([, one], [, other]) => (one < other ? -1 : one > other ? 1 : 0))[0]
  return aSnapshot({
    mode: 'auction',
    auctionType,
    bidDeadline: BID_DEADLINE,
    clockPrice: hasClock ? 1_000_000n : null,
    bidCount: bids.length,
    lowestBid: lowest?.[1] ?? null,
    entries: new Map(bids.map(([worker, bid]) => [worker, { ...noEntry, bid }])),
    ...facts,
  })
}

const noEntry = {
  submissionCount: 0,
  activeSubmissionCount: 0,
  rejected: false,
  pitched: false,
  latestDeliverable: null,
}

/** Any state of an auction, without deliveries, which are those of claims. */
export const anyAuction: fc.Arbitrary<TaskSnapshot> = fc
  .record({
    auctionType: fc.constantFrom(...auctionTypes),
    status: fc.constantFrom('open', 'open', 'open', 'claimed', 'expired', 'cancelled'),
    prices: fc.array(fc.bigInt({ min: 1001n, max: 5_000_000n }), { maxLength: 3 }),
    bidCount: fc.constantFrom(0, 0, 0, 499, 500),
    evaluator: fc.constantFrom(null, null, carol),
    entriesPaused: fc.boolean(),
  })
  .map(({ auctionType, status, prices, bidCount, ...facts }) => {
    const takesBids = auctionType === 'english' || auctionType === 'reverse_english'
    const bids = takesBids ? prices.map((price, index) => [workers[index] ?? alice, price] as const) : []
    return anAuction(auctionType, {
      bids,
      ...facts,
      status: status as TaskSnapshot['status'],
      worker: status === 'claimed' ? alice : null,
      ...(bids.length > 0 && { bidCount: Math.max(bidCount, bids.length) }),
    })
  })

/**
 * A task of pitch mode with one pitch of each of these workers, in each status; the first one is selected.
 */
export function aPitchTask(
  status: TaskSnapshot['status'],
  pitchers: readonly Address[],
  facts: Partial<TaskSnapshot> = {},
): TaskSnapshot {
  const isDelivered = ['pending_approval', 'review', 'completed'].includes(status)
  const [worker = alice] = pitchers
  const delivered = isDelivered ? aContest({ [worker]: 'standing' }) : aSnapshot()
  const entries = new Map(
    pitchers.map((pitcher) => [pitcher, { ...(delivered.entries.get(pitcher) ?? nothing), pitched: true }]),
  )
  return {
    ...delivered,
    mode: 'pitch',
    status,
    pitchDeadline: PITCH_DEADLINE,
    pitchCount: pitchers.length,
    solePitch: pitchers.length === 1 ? { worker, id: pitchId } : null,
    entries,
    worker: ['open', 'cancelled'].includes(status) ? null : worker,
    awards: status === 'completed' ? [{ worker, rated: false }] : [],
    ...facts,
  }
}

/** Any state of a task of pitch mode. */
export const anyPitchTask: fc.Arbitrary<TaskSnapshot> = fc
  .record({
    status: fc.constantFrom(
      ...(['open', 'open', 'open', 'worker_selected', 'pending_approval', 'review', 'completed', 'expired'] as const),
      'cancelled' as const,
    ),
    pitchers: fc.subarray([...workers]),
    pitchDeadline: fc.constantFrom(EXPIRY - 2n, EXPIRY - 1n, EXPIRY),
    evaluator: fc.constantFrom(null, null, carol),
    entriesPaused: fc.boolean(),
  })
  .map(({ status, pitchers, evaluator, ...facts }) => {
    const evaluated = status === 'pending_approval' ? null : evaluator
    const mayPitch = pitchers.filter((pitcher) => pitcher !== evaluated)
    const needsPitcher = !['open', 'expired', 'cancelled'].includes(status)
    return aPitchTask(status, needsPitcher && mayPitch.length === 0 ? [alice] : mayPitch, {
      ...facts,
      evaluator: evaluated,
    })
  })

/** A time around the deadlines: mostly their edges. */
export const anyTime: fc.Arbitrary<bigint> = fc.oneof(
  fc.constantFrom(EXPIRY - 1n, EXPIRY, EXPIRY + 1n),
  fc.constantFrom(EXPIRY + 90n * 86_400n - 1n, EXPIRY + 90n * 86_400n),
  fc.constantFrom(BID_DEADLINE - 1n, BID_DEADLINE, BID_DEADLINE + 1n),
  fc.bigInt({ min: 1n, max: 2n * EXPIRY }),
)

const DAY = 24n * 3600n

/** A time around the moment at which a task without an answer may be settled, and around its notice. */
export const anyStaleTime: fc.Arbitrary<bigint> = fc
  .tuple(fc.constantFrom(83n * DAY, 90n * DAY), fc.bigInt({ min: -7201n, max: 7201n }))
  .map(([after, around]) => EXPIRY + after + around)
