import type { Hex } from 'viem'
import type { WriteName } from '../../../client/src/api/write-names.ts'
import type { Actor } from '../../support/actors.ts'
import { aClaimTask } from '../../support/conformance-fixtures.ts'
import { aDelivery, aTaskOf, FEE, marketEvents, mustPay, type Parts, type Recipe } from './recipe.ts'

/** Of an evaluator that never answers: the shortest window, and a longer time. */
const SHORT_HOURS = 2 / 3_600
const LONGER_SECONDS = 3

interface Judged {
  requester: Actor
  worker: Actor
  evaluator: Actor
  resolver: Actor
  taskId: Hex
}

/** What requester, evaluator, worker and resolver do about a verdict. The evaluator's fee is nothing: it would be paid to the payer. */
export const verdictWrites = {
  assignEvaluator: async (parts) => {
    const { requester: wallet, taskId } = await aTaskOf(parts)
    const evaluator = await parts.aWallet()
    const countDone = marketEvents(parts, 'EvaluatorAssigned', [taskId])
    return { wallet, input: { taskId, evaluator: evaluator.address }, cost: FEE, countDone }
  },
  evaluateTask: async (parts) => {
    const { evaluator: wallet, taskId } = await aJudgedDelivery(parts)
    const countDone = marketEvents(parts, 'VerdictIssued', [taskId])
    return { wallet, input: { taskId, verdict: 'approve' }, cost: FEE, countDone }
  },
  appealVerdict: async (parts) => {
    const { worker: wallet, taskId } = await aRejectedDelivery(parts)
    const countDone = marketEvents(parts, 'VerdictAppealed', [taskId])
    return { wallet, input: { taskId }, cost: FEE, countDone }
  },
  resolveDispute: async (parts) => {
    const { worker, resolver: wallet, taskId } = await aRejectedDelivery(parts)
    await mustPay(parts, worker, `/tasks/${taskId}/appeal`, {})
    const awards = [{ worker: worker.address, amount: '15000', rank: 1 }]
    const countDone = marketEvents(parts, 'DisputeResolved', [taskId])
    return { wallet, input: { taskId, verdict: 'partial', awards }, cost: FEE, countDone }
  },
  timeOutEvaluator: async (parts) => {
    const { requester: wallet, taskId } = await aJudgedDelivery(parts, { evaluationWindowHours: SHORT_HOURS })
    await parts.environment.chain.passTime(LONGER_SECONDS)
    const countDone = marketEvents(parts, 'EvaluatorTimedOut', [taskId])
    return { wallet, input: { taskId }, cost: FEE, countDone }
  },
} satisfies Partial<Record<WriteName, Recipe>>

async function aJudgedDelivery(parts: Parts, fields: Record<string, unknown> = {}): Promise<Judged> {
  const [evaluator, resolver] = [await parts.aWallet(), await parts.aWallet()]
  const judges = { evaluator: evaluator.address, disputeResolver: resolver.address }
  const { requester, worker, taskId } = await aDelivery(parts, { task: aClaimTask({ ...judges, ...fields }) })
  return { requester, worker, evaluator, resolver, taskId }
}

/** A delivery of a claim that its evaluator rejects. */
export async function aRejectedDelivery(parts: Parts): Promise<Judged> {
  const judged = await aJudgedDelivery(parts)
  await mustPay(parts, judged.evaluator, `/tasks/${judged.taskId}/evaluate`, { verdict: 'reject' })
  return judged
}
