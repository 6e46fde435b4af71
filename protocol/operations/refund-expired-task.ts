import { nothing } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

/**
 * Refunds the escrow of a task that expired without a delivery (specification, "Lifecycle writes").
 * Example: the call `refundExpired(taskId)` of the market. The service's fee is 1_000n base units of USDC.
 */
export const refundExpiredTask = marketCall('refundExpired')({
  name: 'tasks.refundExpired',
  operationId: 'refundExpiredTask',
  path: '/tasks/{taskId}/refund-expired',
  action: 'refund_expired',
  bodyless: true,
  legalExempt: true,
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId }: { taskId: string }) => ({ taskId: toBytes(taskId) }),
  args: ({ taskId }) => [taskId],
  price: actionFee,
  decides: nothing,
})

export const refundExpiredTaskListing: ListingOf<typeof refundExpiredTask> = {
  summary: 'Refund an expired task to its requester',
  description: 'Paid, open to anyone. From the expiry on, while no submission stands.',
  gas: { typicalGas: 200_000, gasCeiling: 350_000 },
  example: { taskId: exampleTaskId },
}
