import {
  type Address,
  type ContractFunctionReturnType,
  type Hex,
  type ParseEventLogsReturnType,
  zeroAddress,
} from 'viem'
import type { taskMarketAbi } from '../../../abis/task-market.ts'
import type { EntryFacts, TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { toPitchId } from '../../../protocol/rules/row-ids.ts'
import { toVerdict } from '../../../protocol/rules/verdict.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { MarketLog } from '../indexer/market-logs.ts'
import { readMarket, type TaskState } from '../indexer/task-states.ts'
import { wallets } from './wallets.ts'

type EventArgs<Name extends MarketLog['eventName']> = ParseEventLogsReturnType<
  typeof taskMarketAbi,
  Name,
  true
>[number]['args']
type EntryView = ContractFunctionReturnType<typeof taskMarketAbi, 'view', 'entryOf'>

/**
 * Snapshots of tasks for the rules, built from the contract's views, without indexer and service. Values that the
 * contract has deleted are taken from its logs.
 */
export async function readSnapshots(
  chain: MarketChain,
  { tasks, logs }: { tasks: readonly TaskState[]; logs: readonly MarketLog[] },
): Promise<TaskSnapshot[]> {
  const pairs = tasks.flatMap(({ id }) => wallets.map((wallet) => [id, wallet] as const))
  const entries = await readMarket(chain, 'entryOf', pairs)
  const [entriesPaused] = await readMarket(chain, 'paused', [[]])
  if (entriesPaused === undefined) throw new Error('the market has no answer')
  return tasks.map((task, index) => ({
    ...toSnapshot(task, {
      entryViews: entries.slice(index * wallets.length, (index + 1) * wallets.length),
      logs: logs.filter(({ args }) => 'taskId' in args && args.taskId === task.id),
    }),
    entriesPaused,
  }))
}

function toSnapshot(
  { id, mode, auctionType, status, view, evaluation }: TaskState,
  { entryViews, logs }: { entryViews: readonly EntryView[]; logs: readonly MarketLog[] },
): Omit<TaskSnapshot, 'entriesPaused'> {
  const entries = toEntries(entryViews, logs)
  const active = [...entries].filter(([, { activeSubmissionCount }]) => activeSubmissionCount > 0)
  const evaluated = view.hasEvaluator
  return {
    id,
    mode,
    auctionType,
    status,
    requester: lower(view.requester),
    reward: view.reward,
    escrow: view.escrow,
    platformFeeBps: view.feeBps,
    contentHash: view.contentHash,
    createdAt: BigInt(view.createdAt),
    expiryTime: BigInt(view.expiryTime),
    pitchDeadline: mode === 'pitch' ? BigInt(view.pitchDeadline) : null,
    bidDeadline: mode === 'auction' ? BigInt(view.bidDeadline) : null,
    clockPrice: view.clockPrice === 0n ? null : view.clockPrice,
    stakeBps: view.stakeBps,
    tagHashes: pick(logs, 'TaskCreated').at(-1)?.terms.tags ?? [],
    hookSet: toHexOrNull(view.hookSet),
    worker: toAddressOrNull(view.worker),
    price: view.price === 0n ? null : view.price,
    claimRound: view.round,
    objected: view.objected,
    ...lowestBidOf(logs),
    pitchCount: view.pitchCount,
    bidCount: view.bidCount,
    solePitch: solePitchOf(id, logs),
    submissionCount: view.submissionCount,
    activeSubmissionCount: view.activeSubmissions,
    soleActiveWorker: active.length === 1 ? (active[0]?.[0] ?? null) : null,
    evaluator: evaluated ? toAddressOrNull(evaluation.evaluator) : null,
    disputeResolver: evaluated ? toAddressOrNull(evaluation.resolver) : null,
    evaluatorFeeBps: evaluated ? evaluation.feeBps : null,
    evaluationWindow: evaluated ? BigInt(evaluation.evaluationWindow) : null,
    appealWindow: evaluated ? BigInt(evaluation.appealWindow) : null,
    ...deadlinesOf(logs),
    verdict: evaluation.verdict === 0 ? null : toVerdict(evaluation.verdict),
    verdictAwarded: evaluation.awards.map(({ worker }) => lower(worker)),
    awards: awardsOf(entryViews, logs),
    entries,
    ...publicTask,
  }
}

/** The contract has no visibility: every task is public. */
const publicTask = { taskVisibility: 'public', participants: [], viewers: [] } as const

function toEntries(views: readonly EntryView[], logs: readonly MarketLog[]): Map<Address, EntryFacts> {
  const entries = new Map<Address, EntryFacts>()
  const committed = pick(logs, 'TaskSubmitted')
  for (const [index, view] of views.entries()) {
    const worker = wallets[index] as Address
    if (view.submissions === 0 && !view.pitched && view.bid === 0n) continue
    entries.set(worker, {
      submissionCount: view.submissions,
      activeSubmissionCount: view.active,
      rejected: view.rejected,
      pitched: view.pitched,
      bid: view.bid === 0n ? null : view.bid,
      latestDeliverable: committed.findLast((log) => lower(log.worker) === worker)?.deliverable ?? null,
    })
  }
  return entries
}

/** The earlier one of equal bids. */
function lowestBidOf(logs: readonly MarketLog[]): Pick<TaskSnapshot, 'lowestBid'> {
  const [lowest] = pick(logs, 'BidSubmitted').toSorted((a, b) => Number(a.price - b.price))
  return { lowestBid: lowest?.price ?? null }
}

/** Distinct by worker and text, like the ids of pitches. */
function solePitchOf(id: Hex, logs: readonly MarketLog[]): TaskSnapshot['solePitch'] {
  const pitches = pick(logs, 'PitchSubmitted')
  const [worker, ...others] = new Set(pitches.map((pitch) => lower(pitch.worker)))
  if (worker === undefined || others.length > 0) return null
  const [pitchHash, ...more] = new Set(pitches.map((pitch) => pitch.pitchHash))
  return { worker, id: pitchHash === undefined || more.length > 0 ? null : toPitchId(id, { worker, pitchHash }) }
}

/** The contract has the current one only. A timeout removes it. */
function deadlinesOf(logs: readonly MarketLog[]) {
  const delivered = pick(logs, 'TaskSubmitted').at(-1)?.phaseDeadline ?? 0
  const timedOut = pick(logs, 'EvaluatorTimedOut').length > 0
  return {
    evaluatorDeadline: delivered === 0 || timedOut ? null : BigInt(delivered),
    appealDeadline: toTimeOrNull(pick(logs, 'VerdictIssued').at(-1)?.appealDeadline),
    resolutionDeadline: toTimeOrNull(pick(logs, 'VerdictAppealed').at(-1)?.resolutionDeadline),
  }
}

function awardsOf(views: readonly EntryView[], logs: readonly MarketLog[]): TaskSnapshot['awards'] {
  return pick(logs, 'TaskCompleted')
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ worker }) => ({ worker: lower(worker), rated: views[wallets.indexOf(lower(worker))]?.rated === true }))
}

/** The arguments of the events of a name, in order. */
function pick<Name extends MarketLog['eventName']>(logs: readonly MarketLog[], name: Name): EventArgs<Name>[] {
  return logs.flatMap((log) => (log.eventName === name ? [log.args as EventArgs<Name>] : []))
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

function toAddressOrNull(address: Address): Address | null {
  return address === zeroAddress ? null : lower(address)
}

function toHexOrNull(word: Hex): Hex | null {
  return BigInt(word) === 0n ? null : word
}

function toTimeOrNull(time: number | undefined): bigint | null {
  return time === undefined ? null : BigInt(time)
}
