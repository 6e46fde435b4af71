import { z } from 'zod'
import type { InputOf } from '../../../protocol/operation.ts'
import type { createSubmissionFromKeys } from '../../../protocol/operations/create-submission-from-keys.ts'
import { addressText, bytes32Text, documentSaltText, signatureText } from '../../http/request-schemas.ts'
import { fileFields, MAX_ARTIFACTS, uploadSizeBytes } from './file.schemas.ts'

/** The schema of an upload's key: `<taskId>/<uuid of the upload>`, in lower or upper case. */
const artifactKeyText = z.string().regex(/^0x[0-9a-fA-F]{64}\/[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, {
  error: 'must be an artifactKey as request-upload-url answered it',
  abort: true,
})

const uploadedFile = z.object({
  artifactKey: artifactKeyText,
  ...fileFields,
  sizeBytes: uploadSizeBytes,
  sha256Hash: z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lower-case hex digits' }),
  keccak256Hash: bytes32Text,
})

/**
 * The schema of a submission of files that are already uploaded. Each file is named by the key of its upload. A key
 * begins with the id of the submission's task, and no two files have the same key. See the specification,
 * "Submissions": from-keys.
 */
export const createFromKeysBody = z
  .object({
    taskId: bytes32Text.optional(),
    workerAddress: addressText,
    artifacts: z.array(uploadedFile).min(1).max(MAX_ARTIFACTS),
    signature: signatureText.meta({
      description:
        'EIP-191 by the worker over `service:submit:<taskId>`, or bound to these files: ' +
        '`service:submit:<taskId>:<key1>,<key2>...`, the keys in the order of the body, all in lower case.',
    }),
    documentSalt: documentSaltText.optional(),
  })
  .superRefine(({ taskId, artifacts }, context) => {
    const usedKeys = new Set<string>()
    for (const [index, { artifactKey }] of artifacts.entries()) {
      const key = artifactKey.toLowerCase()
      const tell = (message: string) =>
        context.addIssue({ code: 'custom', path: ['artifacts', index, 'artifactKey'], message })
      if (!key.startsWith(`${taskId?.toLowerCase()}/`))
        tell('must begin with the id of this task: keys are of the task they were made for')
      if (usedKeys.has(key)) tell('must not be the key of another artifact of this submission')
      usedKeys.add(key)
    }
  })

/** A file of a parsed request. Its values are normalised, for example addresses are in lower case. */
export type UploadedFile = InputOf<typeof createSubmissionFromKeys>['artifacts'][number]

/** Returns the upload id of a key. The upload's bytes are stored under this id. */
export function uploadIdOf({ artifactKey: key }: Pick<UploadedFile, 'artifactKey'>): string {
  return key.slice(key.indexOf('/') + 1)
}

export function artifactKeyOf(taskId: string, uploadId: string): string {
  return `${taskId}/${uploadId}`
}
