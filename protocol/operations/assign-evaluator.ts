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
 * Assigns an evaluator to an open task. The terms have the same fields as at the creation of a task (specification,
 * "Lifecycle writes").
 *
 * Example: the call `assignEvaluator(taskId, terms)` of the market. `terms` has the evaluator `0xc3..`, the resolver
 * `0xd4..`, a fee of 500 basis points, an evaluation window of 172800 seconds and an appeal window of 1800 seconds.
 */
export const assignEvaluator = marketCall('assignEvaluator')({
  name: 'tasks.assignEvaluator',
  operationId: 'assignEvaluator',
  path: '/tasks/{taskId}/evaluator',
  modes: ['paid'],
  facts: ['reward'],
  normalise: ({ taskId, evaluator, ...evaluationTerms }: AssignEvaluatorRequest) => ({
    taskId: toBytes(taskId),
    evaluator: toAddress(evaluator),
    ...normaliseJudging(evaluationTerms),
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
