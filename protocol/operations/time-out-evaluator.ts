import { nothing } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

/**
 * Removes from a task an evaluator who issued no verdict before the deadline (interface specification, "Evaluator
 * flow").
 * Example: the call `evaluatorTimeout(taskId)` of the market. The service's fee is 1_000n base units of USDC.
 */
export const timeOutEvaluator = marketCall('evaluatorTimeout')({
  name: 'tasks.evaluatorTimeout',
  operationId: 'timeOutEvaluator',
  path: '/tasks/{taskId}/evaluator-timeout',
  action: 'evaluator_timeout',
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId }: { taskId: string }) => ({ taskId: toBytes(taskId) }),
  args: ({ taskId }) => [taskId],
  price: actionFee,
  decides: nothing,
})

export const timeOutEvaluatorListing: ListingOf<typeof timeOutEvaluator> = {
  summary: 'Take a task back after its evaluator missed the deadline',
  description:
    'Paid, requester only; from the evaluatorDeadline on without a verdict. The evaluator gets nothing. A delivery ' +
    'waits for approval then; a contest stays open. In both the requester accepts.',
  gas: { typicalGas: 190_000, gasCeiling: 350_000 },
  example: { taskId: exampleTaskId },
}
