import { nothing } from '../decisions.ts'
import { exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

/**
 * Rejects all submissions of one worker in a contest (specification, "Lifecycle writes").
 * Example: the call `rejectSubmissions(taskId, workers)` of the market with one worker. The service's fee is 1_000n
 * base units of USDC.
 */
export const rejectSubmission = marketCall('rejectSubmissions')({
  name: 'submissions.reject',
  operationId: 'rejectSubmission',
  path: '/tasks/{taskId}/reject-submission',
  action: 'reject_submission',
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId, worker }: { taskId: string; worker: string }) => ({
    taskId: toBytes(taskId),
    worker: toAddress(worker),
  }),
  args: ({ taskId, worker }) => [taskId, [worker]],
  price: actionFee,
  decides: nothing,
})

export const rejectSubmissionListing: ListingOf<typeof rejectSubmission> = {
  summary: 'Reject a worker with all its submissions',
  description: 'Paid, requester only; bounty and benchmark tasks. The worker cannot submit to the task again.',
  gas: { typicalGas: 190_000, gasCeiling: 350_000 },
  example: { taskId: exampleTaskId, worker: exampleWorker },
}
