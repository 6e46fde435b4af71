import { nothing } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

/**
 * Cancels an open task (specification, "Lifecycle writes").
 * Example: the call `cancelTask(taskId)` of the market. The service's fee is 1_000n base units of USDC.
 */
export const cancelTask = marketCall('cancelTask')({
  name: 'tasks.cancel',
  operationId: 'cancelTask',
  path: '/tasks/{taskId}/cancel',
  action: 'cancel',
  bodyless: true,
  legalExempt: true,
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId }: { taskId: string }) => ({ taskId: toBytes(taskId) }),
  args: ({ taskId }) => [taskId],
  price: actionFee,
  decides: nothing,
})

export const cancelTaskListing: ListingOf<typeof cancelTask> = {
  summary: 'Cancel an open task',
  description: 'Paid, requester only. Not while a submission stands. The escrow goes back to the requester.',
  gas: { typicalGas: 200_000, gasCeiling: 350_000 },
  example: { taskId: exampleTaskId },
}
