import { wholeReward } from '../decisions.ts'
import { exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'
import { deliverableAt } from './deliverable-at.ts'

/**
 * Accepts one worker's submission and pays the whole reward to this worker (specification, "Lifecycle writes").
 * Example: the call `acceptSubmission(taskId, worker, deliverable)` of the market. The service's fee is 1_000n base
 * units of USDC.
 */
export const acceptSubmission = marketCall('acceptSubmission')({
  name: 'tasks.accept',
  operationId: 'acceptSubmission',
  path: '/tasks/{taskId}/accept',
  action: 'accept',
  modes: ['paid'],
  facts: ['reward', 'deliverables'],
  normalise: ({ taskId, worker }: { taskId: string; worker: string }) => ({
    taskId: toBytes(taskId),
    worker: toAddress(worker),
  }),
  args: ({ taskId, worker }, { facts }) => [taskId, worker, deliverableAt(facts, 0)],
  price: actionFee,
  decides: wholeReward,
})

export const acceptSubmissionListing: ListingOf<typeof acceptSubmission> = {
  summary: 'Accept one worker, who gets the whole reward',
  description:
    'Paid, requester only. Pays the latest submission of the worker, which must stand. Possible after the expiry too.',
  gas: { typicalGas: 240_000, gasCeiling: 400_000 },
  example: { taskId: exampleTaskId, worker: exampleWorker },
}
