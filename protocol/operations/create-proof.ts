import { nothing } from '../decisions.ts'
import { commitToText } from '../documents/text-commitment.ts'
import { exampleSignature, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toAmount, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'
import { type ProofType, toProofTypeHash } from '../rules/proof-type.ts'

interface CreateProofRequest {
  taskId: string
  workerAddress: string
  proofData: string
  proofType: ProofType
  /** The measured value, a whole number as decimal string; 0 unless given. */
  metricValue?: string | undefined
  /**
   * The worker's signature. The API requires the field, but nobody checks the signature. The payment already proves the
   * worker.
   */
  signature: string
}

/**
 * Submits a benchmark proof: stores the hash of the proof's data on chain. The proof also becomes a submission
 * (specification, "Claim, pitches, bids, proofs").
 * Example: the call `submitProof(taskId, proofHash, proofType, metricValue)` of the market. `proofType` is keccak256 of
 * `url`, and `metricValue` is 42. The service's fee is 1_000n base units of USDC.
 */
export const createProof = marketCall('submitProof')({
  name: 'proofs.create',
  operationId: 'createProof',
  path: '/tasks/{taskId}/proofs',
  action: 'submit_proof',
  actorField: 'workerAddress',
  modes: ['paid'],
  facts: [],
  normalise: ({ taskId, workerAddress, proofData, proofType, metricValue, signature }: CreateProofRequest) => ({
    taskId: toBytes(taskId),
    workerAddress: toAddress(workerAddress),
    proofData,
    proofType,
    metricValue: toAmount(metricValue ?? '0'),
    signature,
  }),
  args: ({ taskId, workerAddress: worker, proofData: text, proofType, metricValue }) => [
    ...([taskId, commitToText({ taskId, worker, text }).hash, toProofTypeHash(proofType), metricValue] as const),
  ],
  price: actionFee,
  decides: nothing,
})

export const createProofListing: ListingOf<typeof createProof> = {
  summary: 'Submit a proof to a benchmark',
  description:
    'Paid by the worker. Anchors keccak256 of abi.encode(taskId, workerAddress, proofData), which is listed as a ' +
    'submission without artifacts, too; the same data can be submitted once. It uses up no free submission, but ' +
    'counts to the ceiling that `/health` reports.',
  gas: { typicalGas: 270_000, gasCeiling: 400_000 },
  example: {
    taskId: exampleTaskId,
    workerAddress: exampleWorker,
    proofData: 'https://example.org/run/42',
    proofType: 'url',
    metricValue: '42',
    signature: exampleSignature,
  },
}
