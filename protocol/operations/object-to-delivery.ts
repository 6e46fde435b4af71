import { nothing } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

/**
 * Records that the requester objects to a delivery (interface specification, "Other rules").
 * Example: the call `objectToDelivery(taskId)` of the market. The service's fee is 1_000n base units of USDC.
 */
export const objectToDelivery = marketCall('objectToDelivery')({
  name: 'tasks.object',
  operationId: 'objectToDelivery',
  path: '/tasks/{taskId}/object',
  bodyless: true,
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId }: { taskId: string }) => ({ taskId: toBytes(taskId) }),
  args: ({ taskId }) => [taskId],
  price: actionFee,
  decides: nothing,
})

export const objectToDeliveryListing: ListingOf<typeof objectToDelivery> = {
  summary: 'Refuse a delivery on record',
  description:
    'Paid, requester only; once, while the delivery of a claim, pitch or auction task waits for approval. Without it ' +
    'any account may have the worker paid 90 days after the last deadline.',
  gas: { typicalGas: 180_000, gasCeiling: 350_000 },
  example: { taskId: exampleTaskId },
}
