import { nothing } from '../decisions.ts'
import { commitToText } from '../documents/text-commitment.ts'
import { exampleSignature, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { ifGiven, secondsOfHours, toAddress, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'

interface CreatePitchRequest {
  taskId: string
  workerAddress: string
  pitchText: string
  /** The worker's estimate of the duration, in hours. */
  estimatedDuration?: number | undefined
  /**
   * The worker's signature. The API requires the field, but nobody checks the signature. The payment already proves the
   * worker.
   */
  signature: string
}

/**
 * Submits a pitch: stores the hash of its text on chain (specification, "Claim, pitches, bids, proofs").
 * Example: the call `submitPitch(taskId, pitchHash)` of the market. The service's fee is 1_000n base units of USDC.
 */
export const createPitch = marketCall('submitPitch')({
  name: 'pitches.create',
  operationId: 'createPitch',
  path: '/tasks/{taskId}/pitches',
  action: 'pitch',
  actorField: 'workerAddress',
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId, workerAddress, pitchText, estimatedDuration, signature }: CreatePitchRequest) => ({
    taskId: toBytes(taskId),
    workerAddress: toAddress(workerAddress),
    pitchText,
    estimatedDuration: ifGiven(estimatedDuration, secondsOfHours),
    signature,
  }),
  args: ({ taskId, workerAddress: worker, pitchText: text }) => [taskId, commitToText({ taskId, worker, text }).hash],
  price: actionFee,
  decides: nothing,
})

export const createPitchListing: ListingOf<typeof createPitch> = {
  summary: 'Pitch for a task',
  description:
    'Paid by the worker, until the pitch deadline. Anchors keccak256 of abi.encode(taskId, workerAddress, pitchText); ' +
    'the same text again is the same pitch.',
  gas: { typicalGas: 210_000, gasCeiling: 350_000 },
  example: {
    taskId: exampleTaskId,
    workerAddress: exampleWorker,
    pitchText: 'I write haiku every day.',
    estimatedDuration: 1.5,
    signature: exampleSignature,
  },
}
