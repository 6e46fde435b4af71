import { z } from 'zod'
import { SpooledFile } from '../../artifacts/received-file.ts'
import { decodeBase64 } from '../../domain/artifacts/base64.ts'
import { addressText, bytes32Text, documentSaltText, signatureText } from '../../http/request-schemas.ts'
import { fileFields, MAX_ARTIFACTS } from './file.schemas.ts'

const NOT_BASE64 = 'must be base64 with padding and without line breaks'

/**
 * The schema of a file in base64. A short file is a text, which this schema decodes. A long file is already decoded and
 * stored on disk.
 */
const base64File = z
  .custom<string | SpooledFile>((content) => typeof content === 'string' || content instanceof SpooledFile, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a string'),
  })
  .meta({ override: { type: 'string', minLength: 1, contentEncoding: 'base64' } })
  .transform((content, context) => {
    const file = typeof content === 'string' ? decodeBase64(content) : content
    if (content !== '' && file !== null && (file instanceof Uint8Array || file.isBase64)) return file
    context.addIssue({ code: 'custom', message: content === '' ? 'must not be empty' : NOT_BASE64 })
    return z.NEVER
  })

/** The schema of a submission with its files in the body. See the specification, "Submissions". */
export const createSubmissionBody = z.object({
  taskId: bytes32Text.optional(),
  workerAddress: addressText,
  artifacts: z
    .array(z.object({ ...fileFields, file: base64File }))
    .min(1)
    .max(MAX_ARTIFACTS),
  signature: signatureText.meta({
    description: 'EIP-191 by the worker over `service:submit:<taskId>`, the task id in lower case.',
  }),
  documentSalt: documentSaltText.optional(),
})
