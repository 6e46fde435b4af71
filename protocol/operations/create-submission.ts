import { nothing } from '../decisions.ts'
import { type ArtifactRole, DEFAULT_ROLE } from '../documents/submission-manifest.ts'
import { exampleFile, exampleSalt, exampleSignature, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'
import { documentOfSubmission } from './document-of-submission.ts'

/**
 * A file whose bytes are in the request. The sender may state the file's size and hashes. If they are absent, the
 * service computes them before it builds the call.
 */
interface SentFile {
  fileName: string
  mimeType: string
  role?: ArtifactRole | undefined
  sizeBytes?: number | undefined
  /** SHA-256 of the file's bytes, 64 lower-case hex digits without 0x. */
  sha256Hash?: string | undefined
  keccak256Hash?: string | undefined
  /**
   * The bytes of the file. Their type differs between the client and the service. The contract call does not contain
   * the bytes.
   */
  file?: unknown
}

interface SubmissionRequest {
  taskId: string
  workerAddress: string
  artifacts: readonly SentFile[]
  signature: string
  documentSalt: string
}

/**
 * Submits work, with the files in the request (specification, "Submissions"; interface specification, "Other rules").
 * Example: the call `submitWork(taskId, deliverable)` of the market, where the deliverable is the hash of the manifest.
 * The worker signs the text `service:submit:0x9f..`.
 */
export const createSubmission = marketCall('submitWork')({
  name: 'submissions.create',
  operationId: 'createSubmission',
  path: '/tasks/{taskId}/submissions',
  action: 'submit',
  actorField: 'workerAddress',
  modes: ['signed', 'paid'],
  signed: {
    verb: 'submit',
    suffixRule: 'content',
    taskId: ({ taskId }) => taskId,
    signer: ({ workerAddress }) => workerAddress,
    signature: ({ signature }) => signature,
    suffixes: () => [''],
  },
  facts: [],
  choices: ['documentSalt'],
  normalise: ({ taskId, workerAddress, artifacts, signature, documentSalt }: SubmissionRequest) => ({
    taskId: toBytes(taskId),
    workerAddress: toAddress(workerAddress),
    artifacts: artifacts.map(({ role = DEFAULT_ROLE, keccak256Hash, ...file }) => ({
      ...file,
      role,
      ...(keccak256Hash !== undefined && { keccak256Hash: toBytes(keccak256Hash) }),
    })),
    signature: toBytes(signature),
    documentSalt: toBytes(documentSalt),
  }),
  args: ({ artifacts, ...submission }, { actor }) => {
    const { hash } = documentOfSubmission({ ...submission, artifacts: artifacts.map(hashedFile) }, actor)
    return [submission.taskId, hash]
  },
  price: actionFee,
  decides: nothing,
})

type File = ReturnType<typeof createSubmission.normalise>['artifacts'][number]

function hashedFile({ sizeBytes, sha256Hash, keccak256Hash, ...file }: File, index: number) {
  if (sizeBytes === undefined || sha256Hash === undefined || keccak256Hash === undefined) {
    throw new Error(`the bytes of file ${index} are not hashed yet`)
  }
  return { ...file, sizeBytes, sha256Hash, keccak256Hash }
}

export const createSubmissionListing: ListingOf<typeof createSubmission> = {
  summary: 'Submit work with its files',
  description:
    'Free on the signature of the worker: in contests up to the allowance that `/health` reports, then paid by the ' +
    'worker, up to the ceiling; of a claimed task, the one delivery. Anchors keccak256 of the manifest of the files.',
  gas: { typicalGas: 240_000, gasCeiling: 400_000, freeBudget: 'entries' },
  example: {
    taskId: exampleTaskId,
    workerAddress: exampleWorker,
    artifacts: [exampleFile],
    signature: exampleSignature,
    documentSalt: exampleSalt,
  },
}
