import { z } from 'zod'
import { decodeBase64 } from '../../domain/artifacts/base64.ts'
import { address, bytes32, walletSignature } from '../../http/primitives.ts'
import { fileFields, MAX_ARTIFACTS } from './file.schemas.ts'

const base64File = z
  .string()
  .min(1, { error: 'must not be empty' })
  .transform((text, context) => {
    const bytes = decodeBase64(text)
    if (bytes !== null) return bytes
    context.addIssue({ code: 'custom', message: 'must be base64 with padding and without line breaks' })
    return z.NEVER
  })
  .meta({ contentEncoding: 'base64' })

/** Spec, "Submissions". */
export const createSubmissionBody = z.object({
  taskId: bytes32.optional(),
  workerAddress: address,
  artifacts: z
    .array(z.object({ ...fileFields, file: base64File }))
    .min(1)
    .max(MAX_ARTIFACTS),
  signature: walletSignature.meta({
    description: 'EIP-191 by the worker over `service:submit:<taskId>`, the task id in lower case.',
  }),
})

export type CreateSubmissionBody = z.output<typeof createSubmissionBody>
