import { type Address, type Hex, keccak256, stringToBytes } from 'viem'
import { clockOf, clockPriceAt } from '../../../protocol/clock-price.ts'
import { netRewardOf } from '../../../protocol/net-reward.ts'
import { phaseOf } from '../../../protocol/phase.ts'
import { isNewLowestBid } from '../../../protocol/rules/lowest-bid.ts'
import { toModeTerms } from '../../../protocol/rules/mode-terms.ts'
import { listReferenceCodes } from '../../../protocol/rules/reference-code.ts'
import { isContest, toAuctionType, toTaskMode } from '../../../protocol/rules/selectors.ts'
import { toTaskStatus } from '../../../protocol/rules/task-status.ts'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import { areBidsSealed } from '../../../protocol/sealed-bids.ts'
import { isSubmissionWindowOpen } from '../../../protocol/submission-window.ts'
import type { components } from '../api/openapi.ts'
import { type Expected, Told, Unknowable } from './expected.ts'
import type { Block, TaskView } from './read-chain.ts'
import type { TaskHistory } from './task-history.ts'

type TaskDetail = components['schemas']['TaskDetail']

/** A task at one block: the market contract's view of the task, and the history from the logs. */
export interface TaskOnChain {
  id: Hex
  block: Block
  /**
   * The node's latest block. The service's answer also contains values that depend on the time. The service calculated
   * these values at `block`, at `head`, or at a block between the two.
   */
  head: Block
  view: TaskView
  hooks: { hooks: readonly Address[]; defaultCount: number }
  termsHash: Hex
  history: TaskHistory
}

export const ofService = new Unknowable('the service alone keeps it')
export const ofIdentity = new Unknowable('the registry of identities is not read')
const ofText = new Unknowable('its document has a salt that the service does not answer')
const ofVault = new Unknowable('the contracts of vaults are not read')
const ofBonus = new Unknowable('the programme of the token bonus is not read')

export const isoOf = (seconds: bigint | number) => new Date(Number(seconds) * 1000).toISOString()
const isoOrNull = (seconds: bigint | null) => (seconds === null ? null : isoOf(seconds))

/** Returns the terms of a task, converted from the contract's view to the form of the service's answers. */
export function termsOf({ view, history }: Pick<TaskOnChain, 'view' | 'history'>) {
  const kind = { mode: toTaskMode(view.mode), auctionType: toAuctionType(view.auctionType) }
  const terms = toModeTerms(kind, view)
  const status = toTaskStatus(view.status)
  const [createdAt, expiryTime] = [BigInt(view.createdAt), BigInt(view.expiryTime)]
  return { ...kind, ...terms, status, createdAt, expiryTime, reward: view.reward, price: history.price }
}

/**
 * Returns the value that the chain requires for each field of a task.
 * @param taskAnswer the task in the service's answer
 */
export function expectTask(chain: TaskOnChain, taskAnswer: TaskDetail): Expected<TaskDetail> {
  const { id, view, hooks, history, termsHash } = chain
  const terms = termsOf(chain)
  const { mode, auctionType, status, reward, bidDeadline, clockPrice } = terms
  const isAuction = mode === 'auction'
  const atEither = <Value>(of: (now: bigint) => Value) => {
    const values = [of(chain.block.time), of(chain.head.time)]
    return new Told(values[0], (value) => values.some((one) => one === value), 'by the terms and the time of the block')
  }
  const primaryAward = history.awards.find(({ rank }) => rank === 1)
  const [customHook, ...others] = hooks.hooks.slice(hooks.defaultCount)
  const evaluation = history.evaluation
  return {
    id,
    referenceCode: aCodeOf('task', id),
    requester: view.requester,
    requesterPubkey: ofService,
    description: ofText,
    reward: String(reward),
    escrowTxHash: history.created?.txHash ?? ofService,
    createdAt: new Told(
      isoOf(terms.createdAt),
      (value) => isWithinSecond(value, terms.createdAt),
      'to the second: the service tells tasks of one block apart by milliseconds',
    ),
    expiryTime: isoOf(terms.expiryTime),
    status,
    tags: expectTags(history, taskAnswer),
    mode: mode as TaskDetail['mode'],
    taskVisibility: new Told(
      history.created?.listed === true ? 'public' : 'unlisted or private',
      (value) => (value === 'public') === (history.created?.listed === true),
      'the chain says whether the task is listed',
    ),
    submissionVisibility: ofText,
    hasAccessPassword: ofService,
    stakeRequired: view.stakeBps > 0,
    stakeBps: view.stakeBps,
    pitchDeadline: isoOrNull(terms.pitchDeadline),
    bidDeadline: isoOrNull(bidDeadline),
    maxPrice: isAuction ? String(reward) : null,
    metricDescription: ofText,
    metricTarget: ofText,
    claimedBy: history.assigned?.worker ?? null,
    claimedAt: history.assigned && isoOf(history.assigned.at),
    platformFeeBps: view.feeBps,
    submissionCount: view.submissionCount,
    pitchCount: view.pitchCount,
    awardCount: view.awardCount,
    primaryAward:
      primaryAward === undefined
        ? null
        : { workerAddress: primaryAward.worker, rating: ratingOf(history, primaryAward.worker) },
    requesterAgentId: ofIdentity,
    workerAgentId: ofIdentity,
    requesterActorType: ofIdentity,
    workerActorType: ofIdentity,
    auctionType: auctionType as TaskDetail['auctionType'],
    auctionStartPrice: auctionType === 'reverse_dutch' ? String(clockPrice) : null,
    auctionFloorPrice: auctionType === 'dutch' ? String(clockPrice) : null,
    currentAuctionPrice: expectClockPrice(chain),
    currentLowestBid: atEither((now) =>
      areBidsSealed({ auctionType, bidDeadline }, now) ? null : lowestBidOf(history),
    ),
    auctionBidCount: isAuction ? history.bids.size : null,
    auctionPriceReachesFloorAt: auctionType === 'dutch' ? isoOrNull(bidDeadline) : null,
    auctionPriceReachesMaxAt: auctionType === 'reverse_dutch' ? isoOrNull(bidDeadline) : null,
    hookContract: customHook !== undefined && others.length === 0 ? customHook : null,
    hooks: hooks.hooks,
    evaluator: history.evaluator,
    evaluatorStake: history.evaluator && '0',
    evaluatorFeeBps: evaluation?.feeBps ?? null,
    evaluationWindow: evaluation?.evaluationWindow ?? null,
    appealWindow: evaluation?.appealWindow ?? null,
    disputeResolver: history.resolver,
    appealDeadline: isoOrNull(history.appealDeadline),
    evaluatorDeadline: isoOrNull(evaluatorDeadlineOf(chain)),
    verdictType: history.verdict && verdictTypes[history.verdict.verdict],
    verdictScore: history.verdict?.score ?? null,
    verdictConfidence: history.verdict?.confidence ?? null,
    verdictEvidenceHash: history.verdict?.evidenceHash ?? null,
    submissionWindowOpen: atEither((now) => isSubmissionWindowOpen(terms, now)),
    phase: atEither((now) => phaseOf(terms, now)),
    netReward: netRewardText(chain),
    pendingActions: new Unknowable('what may be sent is no state; the contracts decide about each when it is sent'),
    selfAward: history.selfAward,
    taskDropId: ofService,
    taskDrop: ofService,
    sponsoredTaskRewards: ofVault,
    awards: expectAwards(history),
    tokenPerUsdc: ofBonus,
    bonusBps: ofBonus,
    estimatedUsdBonusValue: ofBonus,
    estimatedWorkerUsdBonusValue: ofBonus,
    estimatedRequesterUsdBonusValue: ofBonus,
    estimatedWorkerTokenBonus: ofBonus,
    estimatedRequesterTokenBonus: ofBonus,
    bonus: ofBonus,
    claimRound: view.round,
    termsHash,
    agreedPrice: isAuction && history.price !== null ? String(history.price) : null,
    resolution: expectResolution(history),
  }
}

export function aCodeOf(kind: 'task' | 'submission', id: Hex): Told {
  const codes = listReferenceCodes(kind, id)
  return new Told(
    codes[0],
    (value) => codes.some((code) => code === value),
    'a beginning of the id that no earlier one has',
  )
}

const verdictTypes = { approve: 'APPROVE', reject: 'REJECT', partial: 'PARTIAL' } as const satisfies Record<
  Verdict,
  string
>

function expectTags(
  { created, contentHash }: TaskHistory,
  { tags, description }: TaskDetail,
): Expected<TaskDetail['tags']> {
  const hashes = created?.tags ?? []
  const hashesOf = (list: unknown) =>
    Array.isArray(list) ? list.map((tag) => keccak256(stringToBytes(String(tag)))) : null
  const isWithoutTexts = description === '' && hashesOf(tags)?.length === 0
  const isEqual = String(hashesOf(tags)) === String(hashes)
  if (isWithoutTexts && hashes.length > 0)
    return new Unknowable('the answer has no texts of the task: the service has none, or none for the caller')
  if (!isEqual && created?.listed === false && hashes.length === 0)
    return new Unknowable('the tags of a private task are not on chain')
  if (!isEqual && contentHash !== created?.contentHash)
    return new Unknowable('the texts of the task were changed, and the new tags are not on chain')
  return new Told(hashes, (value) => String(hashesOf(value)) === String(hashes), 'by the hash of each tag')
}

/**
 * Returns the lowest bid of all workers; null if there is no bid. `bids` contains the last bid of each worker. A
 * worker's last bid is always the worker's lowest bid.
 */
function lowestBidOf({ bids }: TaskHistory): string | null {
  // The market's view does not contain the lowest bid after a winner is selected.
  let lowestPrice: bigint | null = null
  for (const { price } of bids.values()) if (isNewLowestBid(price, lowestPrice)) lowestPrice = price
  return lowestPrice === null ? null : String(lowestPrice)
}

/**
 * Returns an expectation for the current price of a dutch or reverse dutch auction. The expectation accepts the price
 * at `chain.block`, the price at `chain.head`, and all prices in between. Returns null if the task has no such price.
 */
function expectClockPrice(chain: TaskOnChain): Told | null {
  // The service calculates the price at a block in this range.
  const terms = termsOf(chain)
  const clock = terms.status === 'open' ? clockOf(terms) : null
  if (clock === null) return null
  const [one, other] = [clockPriceAt(clock, chain.block.time), clockPriceAt(clock, chain.head.time)]
  const isBetween = (value: unknown) => {
    if (typeof value !== 'string' || !/^[0-9]+$/.test(value)) return false
    const price = BigInt(value)
    return one < other ? price >= one && price <= other : price <= one && price >= other
  }
  return new Told(String(one), isBetween, 'the price of the clock between this block and the newest one')
}

/**
 * Returns the evaluator's deadline in Unix seconds; null if there is no deadline. For an `open` contest, the deadline
 * is the task's expiry plus the evaluation window.
 */
function evaluatorDeadlineOf(chain: TaskOnChain): bigint | null {
  const { mode, status, expiryTime } = termsOf(chain)
  const { evaluator, evaluation, evaluatorDeadline } = chain.history
  if (evaluator === null || evaluation === null || status !== 'open' || !isContest(mode)) return evaluatorDeadline
  return expiryTime + BigInt(evaluation.evaluationWindow)
}

function netRewardText(chain: TaskOnChain): string | null {
  const { mode, reward, price } = termsOf(chain)
  const evaluatorFeeBps = chain.history.evaluation?.feeBps ?? null
  const net = netRewardOf({ mode, reward, price, platformFeeBps: chain.view.feeBps, evaluatorFeeBps })
  return net === null ? null : String(net)
}

function expectAwards(history: TaskHistory): Expected<components['schemas']['Award'][]> {
  return history.awards
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ worker, rank, gross, payment, fee, txHash, at }) => ({
      workerAddress: worker,
      workerAgentId: ofIdentity,
      workerActorType: ofIdentity,
      rank,
      isPrimary: rank === 1,
      grossAmount: String(gross),
      workerPayment: String(payment),
      platformFee: String(fee),
      settlementTxHash: txHash,
      settledAt: isoOf(at),
      rating: ratingOf(history, worker),
    }))
}

function ratingOf({ ratings }: TaskHistory, worker: Address): number | null {
  return ratings.get(worker)?.rating ?? null
}

function expectResolution({ resolution }: TaskHistory): Expected<TaskDetail['resolution']> {
  if (resolution === null || resolution.verdict === 'reject') return null
  const { verdict, resolver, at } = resolution
  return { verdict: verdictTypes[verdict], resolver, resolvedAt: isoOf(at) }
}

function isWithinSecond(value: unknown, seconds: bigint): boolean {
  return typeof value === 'string' && Math.floor(Date.parse(value) / 1000) === Number(seconds)
}
