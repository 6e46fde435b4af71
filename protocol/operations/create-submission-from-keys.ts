import { nothing } from '../decisions.ts'
import { type ArtifactRole, DEFAULT_ROLE } from '../documents/submission-manifest.ts'
import { exampleFile, exampleSalt, exampleSignature, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'
import { documentOfSubmission } from './document-of-submission.ts'

/** A file that the worker uploaded before the submission. */
interface UploadedFile {
  /** Key of the upload: `<taskId>/<uuid>`. */
  artifactKey: string
  fileName: string
  mimeType: string
  role?: ArtifactRole | undefined
  sizeBytes: number
  /** SHA-256 of the file's bytes, 64 lower-case hex digits without 0x. */
  sha256Hash: string
  keccak256Hash: string
}

interface FromKeysRequest {
  taskId: string
  workerAddress: string
  artifacts: readonly UploadedFile[]
  signature: string
  documentSalt: string
}

/**
 * Submits files that the worker uploaded before (specification, "Submissions"; interface specification, "Other rules").
 * Example: the worker signs `service:submit:<taskId>:<key of the upload>`. The service then relays the call
 * `submitWork(taskId, deliverable)` of the market. `deliverable` is the hash of the manifest.
 */
export const createSubmissionFromKeys = marketCall('submitWork')({
  name: 'submissions.createFromKeys',
  operationId: 'createSubmissionFromKeys',
  path: '/tasks/{taskId}/submissions/from-keys',
  actorField: 'workerAddress',
  modes: ['signed', 'paid'],
  signed: {
    verb: 'submit',
    suffixRule: 'content',
    taskId: ({ taskId }) => taskId,
    signer: ({ workerAddress }) => workerAddress,
    signature: ({ signature }) => signature,
    suffixes: ({ artifacts }) => ['', keysSuffixOf(artifacts)],
  },
  facts: [],
  choices: ['documentSalt'],
  normalise: ({ taskId, workerAddress, artifacts, signature, documentSalt }: FromKeysRequest) => ({
    taskId: toBytes(taskId),
    workerAddress: toAddress(workerAddress),
    artifacts: artifacts.map(({ artifactKey, role = DEFAULT_ROLE, keccak256Hash, ...file }) => ({
      ...file,
      artifactKey: artifactKey.toLowerCase(),
      role,
      keccak256Hash: toBytes(keccak256Hash),
    })),
    signature: toBytes(signature),
    documentSalt: toBytes(documentSalt),
  }),
  args: (submission, { actor }) => [submission.taskId, documentOfSubmission(submission, actor).hash],
  price: actionFee,
  decides: nothing,
})

/**
 * Returns the ending of the signed message of a submission. The ending names the submitted uploads: a colon, and the
 * keys of the uploads, separated by commas.
 * Example: `keysSuffixOf([{ artifactKey: '0x9f../6e..' }, { artifactKey: '0x9f../71..' }])` is
 * `:0x9f../6e..,0x9f../71..`.
 */
export function keysSuffixOf(artifacts: readonly Pick<UploadedFile, 'artifactKey'>[]): string {
  return `:${artifacts.map(({ artifactKey }) => artifactKey).join(',')}`
}

export const createSubmissionFromKeysListing: ListingOf<typeof createSubmissionFromKeys> = {
  summary: 'Submit work with uploaded files',
  description:
    'As a submission with its files in the body, for files that were uploaded before: up to 500 MB each. Size and both ' +
    'hashes of each file are checked before anything is charged or anchored. An upload can be submitted once.',
  gas: { typicalGas: 240_000, gasCeiling: 400_000, freeBudget: 'entries' },
  example: {
    taskId: exampleTaskId,
    workerAddress: exampleWorker,
    artifacts: [{ artifactKey: `${exampleTaskId}/6e7c9e52-1b1d-4a4e-9d3c-0f6f3c1b2a90`, ...exampleFile }],
    signature: exampleSignature,
    documentSalt: exampleSalt,
  },
}
