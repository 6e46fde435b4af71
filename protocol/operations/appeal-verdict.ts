import { nothing } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

/**
 * Appeals a verdict (interface specification, "Evaluator flow"). A worker can appeal without having accepted the
 * service's current policies.
 * Example: the call `appeal(taskId)` of the market. The service's fee is 1_000n base units of USDC.
 */
export const appealVerdict = marketCall('appeal')({
  name: 'tasks.appeal',
  operationId: 'appealVerdict',
  path: '/tasks/{taskId}/appeal',
  action: 'appeal',
  legalExempt: true,
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId }: { taskId: string }) => ({ taskId: toBytes(taskId) }),
  args: ({ taskId }) => [taskId],
  price: actionFee,
  decides: nothing,
})

export const appealVerdictListing: ListingOf<typeof appealVerdict> = {
  summary: 'Bring a verdict before the dispute resolver',
  description:
    'Paid; before the appealDeadline, where the task has a disputeResolver. By the assigned worker; in contests by ' +
    'any worker whom the verdict awards, or by any whose submissions stand when it awards none.',
  gas: { typicalGas: 190_000, gasCeiling: 350_000 },
  example: { taskId: exampleTaskId },
}
