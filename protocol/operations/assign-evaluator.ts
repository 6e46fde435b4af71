import { type JudgingRequest, normaliseJudging, toEvaluatorTerms } from '../creation/evaluator-terms.ts'
import { wholeReward } from '../decisions.ts'
import { exampleEvaluator, exampleResolver, exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

interface AssignEvaluatorRequest extends JudgingRequest {
  taskId: string
  evaluator: string
}

/**
 * Assigns an evaluator to an open task. The terms have the same fields as at creation. Spec, "Lifecycle writes".
 *
 * Example: calls `assignEvaluator(0x9f.., (0xc3.., 0xd4.., 500, 172800, 1800))` of the market. The arguments are the
 * task id, and the terms: evaluator, resolver, fee in basis points, evaluation and appeal window in seconds.
 */
export const assignEvaluator = marketCall('assignEvaluator')({
  name: 'tasks.assignEvaluator',
  operationId: 'assignEvaluator',
  path: '/tasks/{taskId}/evaluator',
  modes: ['paid'],
  facts: ['reward'],
  normalise: ({ taskId, evaluator, ...judging }: AssignEvaluatorRequest) => ({
    taskId: toBytes(taskId),
    evaluator: toAddress(evaluator),
    ...normaliseJudging(judging),
  }),
  args: ({ taskId, ...terms }) => [taskId, toEvaluatorTerms(terms)],
  price: actionFee,
  // An evaluator can award all of the reward to any worker, whatever its fee is.
  decides: wholeReward,
})

export const assignEvaluatorListing: ListingOf<typeof assignEvaluator> = {
  summary: 'Name who judges a task',
  description:
    'Paid, requester only; while the task is open, before the first submission, pitch, bid or claim, and once: no ' +
    'route reassigns or removes an evaluator. Evaluator, resolver and requester are three different wallets.',
  gas: { typicalGas: 240_000, gasCeiling: 400_000 },
  example: {
    taskId: exampleTaskId,
    evaluator: exampleEvaluator,
    evaluatorFeeBps: 500,
    evaluationWindowHours: 48,
    appealWindowHours: 0.5,
    disputeResolver: exampleResolver,
  },
}
