import { wholeReward } from '../decisions.ts'
import { examplePitchId, exampleSignature, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { ifGiven, toAddress, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

interface SelectWorkerRequest {
  taskId: string
  pitchId: string
  workerAddress: string
  /** The requester's signature of the selection. It is optional, because the payment already proves the requester. */
  signature?: string | undefined
}

/**
 * Assigns a worker who has pitched (specification, "Claim, pitches, bids, proofs"; interface specification, "Other
 * rules").
 * Example: the call `selectWorker(taskId, worker)` of the market. The service's fee is 1_000n base units of USDC.
 */
export const selectWorker = marketCall('selectWorker')({
  name: 'pitches.select',
  operationId: 'selectWorker',
  path: '/tasks/{taskId}/pitches/select',
  action: 'select_worker',
  modes: ['paid'],
  facts: ['reward'],
  normalise: ({ taskId, pitchId, workerAddress, signature }: SelectWorkerRequest) => ({
    taskId: toBytes(taskId),
    pitchId: toBytes(pitchId),
    workerAddress: toAddress(workerAddress),
    signature: ifGiven(signature, toBytes),
  }),
  args: ({ taskId, workerAddress }) => [taskId, workerAddress],
  price: actionFee,
  decides: wholeReward,
})

export const selectWorkerListing: ListingOf<typeof selectWorker> = {
  summary: 'Select the worker of a pitch',
  description: 'Paid, requester only, before and after the pitch deadline, until the task expires.',
  gas: { typicalGas: 210_000, gasCeiling: 350_000 },
  example: {
    taskId: exampleTaskId,
    pitchId: examplePitchId,
    workerAddress: exampleWorker,
    signature: exampleSignature,
  },
}
