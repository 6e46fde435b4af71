import {
  concatHex,
  encodeAbiParameters,
  type Hex,
  keccak256,
  type ReadContractReturnType,
  zeroAddress,
  zeroHash,
} from 'viem'
import { taskMarketAbi } from '../../abis/task-market.ts'
import {
  auctionTypes,
  contestModes,
  parseAuctionType,
  parseTaskMode,
  taskModes,
  toAuctionSelector,
  toModeSelector,
} from '../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../protocol/rules/task-status.ts'
import { verdicts } from '../../protocol/rules/verdict.ts'
import { termsHashOf } from '../../protocol/terms-hash.ts'
import type { AuditedTask } from './task-page.queries.ts'

type View<Name extends (typeof viewNames)[number]> = ReadContractReturnType<typeof taskMarketAbi, Name>

/** The view functions of the market that describe a task, in the order in which they are called. */
const viewNames = ['getTask', 'evaluationOf', 'hooksOf', 'lowestBidOf', 'taskTermsHash', 'awardsHash'] as const

/** The answers of the market's view functions about one task. */
export type TaskViews = { [Name in (typeof viewNames)[number]]: View<Name> }

/**
 * Lists the calls of the market's view functions about each task. `toTaskViews` needs the answers in the same order.
 */
export function listTaskCalls(market: Hex, ids: readonly Hex[]) {
  return ids.flatMap((id) =>
    viewNames.map((functionName) => ({ address: market, abi: taskMarketAbi, functionName, args: [id] }) as const),
  )
}

/**
 * Groups the answers of all view functions by task. The result for a task is null if any of its calls was not answered.
 * @param answers the answers to `listTaskCalls`; null for a call without an answer
 */
export function toTaskViews(answers: readonly unknown[], count: number): (TaskViews | null)[] {
  return Array.from({ length: count }, (_, index) => {
    const results = answers.slice(index * viewNames.length, (index + 1) * viewNames.length)
    if (results.length < viewNames.length || results.includes(null)) return null
    return Object.fromEntries(viewNames.map((name, place) => [name, results[place]])) as unknown as TaskViews
  })
}

/** Returns the names of a task's fields whose values in the rows and in the contract differ. */
export function differingFields(row: AuditedTask, views: TaskViews): string[] {
  const expectedViews = viewsOfRow(row, views)
  const actualViews = valuesOf(views)
  return Object.keys(expectedViews).filter((field) => {
    const value = expectedViews[field]
    return value !== undefined && toComparable(value) !== toComparable(actualViews[field])
  })
}

/**
 * Converts a value of a view or of a row to comparable text. Addresses are in lower case, and numbers of any type are
 * text.
 */
function toComparable(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint' || typeof one === 'number') return String(one)
    return typeof one === 'string' ? one.toLowerCase() : one
  })
}

/** Returns all values in the answers of the view functions, under the field names that `differingFields` reports. */
function valuesOf({ getTask, evaluationOf, hooksOf, lowestBidOf, taskTermsHash, awardsHash }: TaskViews) {
  const { evaluator, resolver, feeBps, evaluationWindow, appealWindow, verdict, score, confidence } = evaluationOf
  const values: Record<string, unknown> = {
    ...getTask,
    evaluator,
    resolver,
    evaluatorFeeBps: feeBps,
    evaluationWindow,
    appealWindow,
    verdict,
    score,
    confidence,
    evidenceHash: evaluationOf.evidenceHash,
    phaseDeadline: evaluationOf.phaseDeadline,
    verdictAwards: evaluationOf.awards.map(({ worker, amount, rank }) => ({ worker, amount, rank })),
    hooks: hooksOf[0],
    defaultHooks: hooksOf[1],
    lowestBidder: lowestBidOf[0],
    lowestBid: lowestBidOf[1],
    taskTermsHash,
    awardsHash,
    submissionRows: getTask.submissionCount,
    activeSubmissionRows: getTask.activeSubmissions,
    anchoredPitches: getTask.pitchCount,
    placedBids: getTask.bidCount,
    proofRows: getTask.proofCount,
    awardRows: getTask.awardCount,
  }
  return values
}

/**
 * Returns the values that the market's view functions should return according to the rows. A value is undefined if the
 * rows do not determine it.
 */
function viewsOfRow(row: AuditedTask, views: TaskViews): Record<string, unknown> {
  const isContest = (contestModes as readonly string[]).includes(row.mode)
  const mode = taskModes.find((name) => name === row.mode)
  const auctionType = auctionTypes.find((name) => name === row.auctionType)
  // The contract deletes an evaluation at a timeout.
  const isJudged = row.judge !== null && !row.timedOut
  const isOpen = row.status === 'open'
  return {
    requester: row.requester,
    mode: mode === undefined ? (row.mode === 'unknown' ? undefined : row.mode) : toModeSelector(mode),
    auctionType: auctionSelectorOf(row.auctionType, auctionType),
    status: (taskStatuses as readonly string[]).indexOf(row.status) + 1,
    reward: row.reward,
    escrow: row.escrow,
    feeBps: row.platformFeeBps,
    stakeBps: row.stakeBps,
    createdAt: row.createdAt,
    expiryTime: row.expiryTime,
    pitchDeadline: row.pitchDeadline ?? 0n,
    bidDeadline: row.bidDeadline ?? 0n,
    clockPrice: row.clockPrice ?? 0n,
    contentHash: row.contentHash,
    tagsHash: row.tagHashes.length === 0 ? zeroHash : keccak256(concatHex(row.tagHashes)),
    worker: isContest ? zeroAddress : (row.worker ?? zeroAddress),
    price: row.price ?? 0n,
    stake: row.stake,
    deliverable: row.deliverable ?? zeroHash,
    submissionCount: row.submissionCount,
    activeSubmissions: row.activeSubmissionCount,
    pitchCount: row.pitchCount,
    bidCount: row.bidCount,
    proofCount: row.proofCount,
    awardCount: row.awardCount,
    round: row.claimRound,
    objected: row.objected,
    hasEvaluator: row.evaluator !== null,
    hookSet: row.hookSet ?? zeroHash,
    evaluator: isJudged ? row.judge : zeroAddress,
    resolver: isJudged ? (row.disputeResolver ?? zeroAddress) : zeroAddress,
    evaluatorFeeBps: isJudged ? row.evaluatorFeeBps : 0,
    evaluationWindow: isJudged ? row.evaluationWindow : 0n,
    appealWindow: isJudged ? row.appealWindow : 0n,
    verdict: row.verdict === null ? 0 : (verdicts as readonly string[]).indexOf(row.verdict) + 1,
    score: row.score ?? 0,
    confidence: row.confidence ?? 0,
    evidenceHash: row.evidenceHash ?? zeroHash,
    phaseDeadline: row.resolutionDeadline ?? row.appealDeadline ?? row.evaluatorDeadline ?? 0n,
    verdictAwards: row.verdictAwards.map(({ worker, amount, rank }) => ({ worker, amount, rank })),
    hooks: row.hooks,
    defaultHooks: row.defaultHooks,
    lowestBidder: isOpen ? (row.lowestBidder ?? zeroAddress) : zeroAddress,
    lowestBid: isOpen ? (row.lowestBid ?? 0n) : 0n,
    taskTermsHash: findTermsHash(row, isJudged),
    // The contract keeps it only for hooks of other accounts.
    awardsHash: views.awardsHash === zeroHash ? undefined : awardsHashOf(row),
    submissionRows: row.submissionRows ?? undefined,
    activeSubmissionRows: row.activeSubmissionRows ?? undefined,
    anchoredPitches: row.anchoredPitches ?? undefined,
    placedBids: row.placedBids ?? undefined,
    proofRows: row.proofRows ?? undefined,
    awardRows: row.awardRows ?? undefined,
  }
}

function auctionSelectorOf(name: string | null, auctionType: (typeof auctionTypes)[number] | undefined) {
  if (auctionType !== undefined) return toAuctionSelector(auctionType)
  if (name === null) return '0x00000000'
  return name === 'unknown' ? undefined : name
}

/**
 * Returns the hash of the task's terms, computed from the indexer's row. Returns undefined if the row has an unknown
 * mode or auction type. The caller compares the row with the contract, and reports that field as different.
 */
function findTermsHash(row: AuditedTask, isJudged: boolean): Hex | undefined {
  try {
    const terms = { ...row, mode: parseTaskMode(row.mode), auctionType: parseAuctionType(row.auctionType) }
    const absentTerms = isJudged
      ? {}
      : { evaluatorFeeBps: null, evaluationWindow: null, appealWindow: null, evaluator: null, disputeResolver: null }
    return termsHashOf({ ...terms, ...absentTerms }) ?? undefined
  } catch {
    return undefined
  }
}

function awardsHashOf({ awards }: AuditedTask): Hex {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'address[]' }, { type: 'uint256[]' }],
      [awards.map(({ worker }) => worker), awards.map(({ amount }) => BigInt(amount))],
    ),
  )
}
