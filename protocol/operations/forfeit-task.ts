import { signatureSuffixOf } from '../claim-round.ts'
import { nothing } from '../decisions.ts'
import { exampleSignature, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { free } from '../prices.ts'

interface ForfeitTaskRequest {
  taskId: string
  requesterAddress: string
  signature: string
}

/**
 * Forfeits the claim of a task that expired without a delivery, and reopens the task (specification, "Lifecycle
 * writes"; interface specification, "Other rules").
 * Example: the call `forfeitAndReopen(taskId)` of the market, authorized by the signed message
 * `service:forfeit:0x9f..`.
 */
export const forfeitTask = marketCall('forfeitAndReopen')({
  name: 'tasks.forfeit',
  operationId: 'forfeitTask',
  path: '/tasks/{taskId}/forfeit',
  action: 'forfeit',
  actorField: 'requesterAddress',
  modes: ['signed'],
  signed: {
    verb: 'forfeit',
    suffixRule: 'round',
    taskId: ({ taskId }) => taskId,
    signer: ({ requesterAddress }) => requesterAddress,
    signature: ({ signature }) => signature,
    suffixes: (_input, facts) => [signatureSuffixOf(facts)],
  },
  facts: ['claimRound'],
  normalise: ({ taskId, requesterAddress, signature }: ForfeitTaskRequest) => ({
    taskId: toBytes(taskId),
    requesterAddress: toAddress(requesterAddress),
    signature: toBytes(signature),
  }),
  args: ({ taskId }) => [taskId],
  price: free,
  decides: nothing,
})

export const forfeitTaskListing: ListingOf<typeof forfeitTask> = {
  summary: 'Take an expired task back from a worker who did not deliver',
  description:
    'Free on the signature of the requester; claim mode, from the expiry on. The task is open again with its expiry ' +
    'unchanged, and a stake goes to the fee recipient. After a forfeit that reverted on chain, the same signature needs the ' +
    'read-identity headers of the requester beside it.',
  gas: { typicalGas: 150_000, gasCeiling: 350_000, freeBudget: 'entries' },
  example: { taskId: exampleTaskId, requesterAddress: exampleWorker, signature: exampleSignature },
}
