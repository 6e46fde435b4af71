import { type Address, zeroAddress, zeroHash } from 'viem'
import { expect } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { Task } from '../../../api/features/tasks/tasks.schemas.ts'
import { isContest } from '../../../protocol/rules/selectors.ts'
import { isTerminal } from '../../../protocol/rules/task-status.ts'
import { verdicts } from '../../../protocol/rules/verdict.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { MarketLogs } from '../indexer/market-logs.ts'
import type { TaskState } from '../indexer/task-states.ts'
import { evaluateAll } from './evaluate-calls.ts'

/** An account without a role in any task and without balance. */
const stranger: Address = `0x${'5e'.repeat(20)}`
const running = ['open', 'claimed', 'worker_selected']

interface Subject {
  chain: MarketChain
  state: TaskState
  logs: MarketLogs
  /** The task in the service's answer at `now`, Unix seconds. */
  shown: Task
  now: number
}

/** Every field of a task that depends on the time, against the contract's views and calls at that time. */
export async function expectDerived(subject: Subject): Promise<void> {
  const { state, shown, now } = subject
  const { status, view } = state
  const isRunning = running.includes(status)
  expect(shown).toMatchObject({
    phase: isTerminal(status)
      ? 'resolved'
      : isRunning && now >= view.expiryTime
        ? 'awaiting_settlement'
        : isRunning || status === 'pending_approval'
          ? 'active'
          : 'in_review',
    submissionWindowOpen: await takesWork(subject),
    currentAuctionPrice: (await clockPriceOf(subject))?.toString() ?? null,
    currentLowestBid: lowestBidOf(subject)?.toString() ?? null,
    auctionPriceReachesFloorAt: state.auctionType === 'dutch' ? toIso(view.bidDeadline) : null,
    auctionPriceReachesMaxAt: state.auctionType === 'reverse_dutch' ? toIso(view.bidDeadline) : null,
    selfAward: selfAwardOf(subject),
    ...verdictOf(state),
  })
  await expectDeadlines(subject)
}

/** Whether a deliverable of any account would be accepted. */
async function takesWork({ chain, state, now }: Subject): Promise<boolean> {
  const { data } = encodeMarketCall(zeroAddress, 'submitWork', [state.id, `0x${'d0'.repeat(32)}`])
  const actors = [stranger, state.view.worker].filter((actor) => actor !== zeroAddress)
  const taken = await evaluateAll(
    chain,
    BigInt(now),
    actors.map((actor) => ({ actor, data })),
  )
  return taken.includes(true)
}

async function clockPriceOf({ chain, state, now }: Subject): Promise<bigint | null> {
  const isClock = state.auctionType === 'dutch' || state.auctionType === 'reverse_dutch'
  if (!isClock || state.status !== 'open') return null
  return await chain.client.readContract({
    address: chain.deployment.market,
    abi: taskMarketAbi,
    functionName: 'clockPriceOf',
    args: [state.id],
    blockOverrides: { time: BigInt(now) },
  })
}

/** Spec, "Claim, pitches, bids, proofs": those of a reverse english auction are sealed until the deadline. */
function lowestBidOf({ state, logs, now }: Subject): bigint | null {
  if (state.auctionType === 'reverse_english' && now < state.view.bidDeadline) return null
  const prices = logs.market.flatMap((log) =>
    log.eventName === 'BidSubmitted' && log.args.taskId === state.id ? [log.args.price] : [],
  )
  return prices.reduce<bigint | null>((lowest, price) => (lowest === null || price < lowest ? price : lowest), null)
}

function selfAwardOf({ state, logs }: Subject): boolean | null {
  const awards = logs.market.flatMap((log) =>
    log.eventName === 'TaskCompleted' && log.args.taskId === state.id ? [log.args.selfAward] : [],
  )
  return awards.length === 0 ? null : awards.includes(true)
}

function verdictOf({ evaluation }: TaskState) {
  const verdict = verdicts[evaluation.verdict - 1]
  if (verdict === undefined) {
    return { verdictType: null, verdictScore: null, verdictConfidence: null, verdictEvidenceHash: null }
  }
  return {
    verdictType: verdict.toUpperCase(),
    verdictScore: evaluation.score,
    verdictConfidence: evaluation.confidence,
    verdictEvidenceHash: evaluation.evidenceHash,
  }
}

/** A verdict is possible until just before the evaluator deadline; it can be finalized from the appeal deadline on. */
async function expectDeadlines({ chain, state, shown }: Subject): Promise<void> {
  const { id, status, view, evaluation } = state
  const mayEvaluate = status === 'review' || (status === 'open' && isContest(state.mode) && view.activeSubmissions > 0)
  if (view.hasEvaluator && mayEvaluate) {
    const { data } = encodeMarketCall(zeroAddress, 'evaluate', [id, 2, 0, 0, zeroHash, []])
    expect(await turnsAt(chain, shown.evaluatorDeadline, { actor: evaluation.evaluator, data })).toEqual([true, false])
  }
  if (status === 'appealing') {
    const { data } = encodeMarketCall(zeroAddress, 'finalizeVerdict', [id])
    expect(await turnsAt(chain, shown.appealDeadline, { actor: stranger, data })).toEqual([false, true])
  }
}

/** Whether a call is accepted in the last second before a time, and at that time. */
async function turnsAt(chain: MarketChain, iso: string | null, call: Parameters<typeof evaluateAll>[2][number]) {
  if (iso === null) return expect.fail('the task has no deadline')
  const time = BigInt(Date.parse(iso)) / 1000n
  return [...(await evaluateAll(chain, time - 1n, [call])), ...(await evaluateAll(chain, time, [call]))]
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
