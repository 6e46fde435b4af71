import type { Hex } from 'viem'
import type { RecordingContext } from '../recording-context.ts'
import { signVerb } from '../wallets.ts'

const DAY_SECONDS = 86_400

/**
 * Records auctions, evaluations, and the writes that are possible only after a deadline. Moves the chain's time forward
 * by three months.
 */
export async function recordDeadlines(context: RecordingContext): Promise<void> {
  const { chain, createTask, claim, submit } = context
  await recordDispute(context)
  await recordClockPrice(context)
  const auction = await recordBids(context)
  const unansweredTask = await createTask({ duration: 1 })
  const forfeitedTask = await createTask({ mode: 'claim', duration: 1 })
  await claim('bob', forfeitedTask)
  const evaluatedTask = await deliverToEvaluator(context, { appealWindowHours: 1 })
  await evaluate(context, evaluatedTask)
  const unevaluatedTask = await deliverToEvaluator(context, { evaluationWindowHours: 1 })
  const staleTask = await createTask({ duration: 1 })
  await submit('alice', staleTask)

  await chain.passTime(2 * DAY_SECONDS)
  await recordAfterDeadlines(context, {
    auction,
    unanswered: unansweredTask,
    forfeited: forfeitedTask,
    evaluated: evaluatedTask,
    unevaluated: unevaluatedTask,
  })

  await chain.passTime(91 * DAY_SECONDS)
  await context.record('settleStaleTask', { params: { taskId: staleTask }, payer: 'requester' })
}

/** Records an evaluation of a delivery, the appeal against it, and the decision of the dispute resolver. */
async function recordDispute(context: RecordingContext): Promise<void> {
  const { record, wallet } = context
  const taskId = await deliverToEvaluator(context, {})
  const params = { taskId }
  const award = { worker: wallet('alice').address, amount: '1000000', rank: 1 }
  const scoreFields = { score: 620, confidence: 800, evidenceHash: `0x${'e7'.repeat(32)}` }
  const verdict = { taskId, verdict: 'partial', ...scoreFields, awards: [award] }
  await record('evaluateTask', { params, payer: 'evaluator', body: verdict })
  await record('appealVerdict', { params, payer: 'alice', body: { taskId } })
  const resolution = { taskId, verdict: 'approve', awards: [{ ...award, amount: '1800000' }] }
  await record('resolveDispute', { params, payer: 'resolver', body: resolution })
}

/**
 * Creates a task with an evaluator, who gets a tenth of the reward; then claims it and delivers. The delivery is then
 * in review. @returns the task's id
 */
async function deliverToEvaluator(context: RecordingContext, fields: Record<string, unknown>): Promise<Hex> {
  const { createTask, claim, submit, wallet } = context
  const evaluators = { evaluator: wallet('evaluator').address, disputeResolver: wallet('resolver').address }
  const taskId = await createTask({ mode: 'claim', ...evaluators, evaluatorFeeBps: 1000, ...fields })
  await claim('alice', taskId)
  await submit('alice', taskId)
  return taskId
}

async function evaluate({ perform }: RecordingContext, taskId: Hex): Promise<void> {
  await perform('evaluateTask', { params: { taskId }, payer: 'evaluator', body: { taskId, verdict: 'approve' } })
}

async function recordClockPrice({ record, createTask }: RecordingContext): Promise<void> {
  const prices = { reward: '2000000', maxPrice: '2000000', auctionStartPrice: '500000' }
  const taskId = await createTask({ mode: 'auction', auctionType: 'reverse_dutch', bidDeadline: 12, ...prices })
  await record('acceptAuction', { params: { taskId }, payer: 'bob', body: { taskId, minPrice: '500000' } })
}

/** Records an auction with one bid. The winner is not selected yet. @returns the task's id */
async function recordBids({ record, createTask }: RecordingContext): Promise<Hex> {
  const taskId = await createTask({
    mode: 'auction',
    auctionType: 'english',
    maxPrice: '2000000',
    bidDeadline: 12,
    duration: 96,
  })
  const params = { taskId }
  await record('createBid', { params, payer: 'bob', body: { taskId, price: '1500000' } })
  await record('listTaskBids', { params })
  await record('listMyBids', { query: { limit: '1' }, as: 'bob' })
  return taskId
}

async function recordAfterDeadlines(
  { record, wallet }: RecordingContext,
  tasks: Record<'auction' | 'unanswered' | 'forfeited' | 'evaluated' | 'unevaluated', Hex>,
): Promise<void> {
  const { auction, unanswered, forfeited, evaluated, unevaluated } = tasks
  await record('selectWinner', { params: { taskId: auction }, body: { taskId: auction } })
  await record('refundExpiredTask', { params: { taskId: unanswered }, payer: 'requester' })
  const signature = await signVerb(wallet('requester'), 'forfeit', forfeited)
  const forfeit = { taskId: forfeited, requesterAddress: wallet('requester').address, signature }
  await record('forfeitTask', { params: { taskId: forfeited }, body: forfeit })
  await record('finalizeVerdict', { params: { taskId: evaluated }, body: { taskId: evaluated } })
  await record('timeOutEvaluator', {
    params: { taskId: unevaluated },
    payer: 'requester',
    body: { taskId: unevaluated },
  })
}
