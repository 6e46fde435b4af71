import { rewardOfRequester } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { free } from '../prices.ts'

/**
 * Settles a task on which nobody decided within 90 days after its last deadline. Any account may send this call for
 * free (interface specification, "Other rules").
 * Example: the call `settleStale(taskId)` of the market.
 */
export const settleStaleTask = marketCall('settleStale')({
  name: 'tasks.settleStale',
  operationId: 'settleStaleTask',
  path: '/tasks/{taskId}/settle-stale',
  action: 'settle_stale',
  bodyless: true,
  legalExempt: true,
  modes: ['open'],
  facts: ['reward', 'requester'],
  normalise: ({ taskId }: { taskId: string }) => ({ taskId: toBytes(taskId) }),
  args: ({ taskId }) => [taskId],
  price: free,
  decides: rewardOfRequester,
})

export const settleStaleTaskListing: ListingOf<typeof settleStaleTask> = {
  summary: 'Settle a task that stayed without an answer',
  description:
    'Free and open to anyone, from 90 days after the last deadline on: the expiry, or in an open contest with an ' +
    'evaluator the end of the evaluation window after it. In a claim, pitch or auction it pays the assigned worker for a ' +
    'delivery that the requester never refused. In every other case it refunds the requester. The intent has an initiator only if the read-auth ' +
    'headers are sent.',
  gas: { typicalGas: 200_000, gasCeiling: 400_000, freeBudget: 'exits' },
  example: { taskId: exampleTaskId },
}
