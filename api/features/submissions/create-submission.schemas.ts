import { z } from 'zod'
import { decodeBase64 } from '../../domain/artifacts/base64.ts'
import { artifactRoles, MIME_TYPE } from '../../domain/artifacts/media-kind.ts'
import { address, bytes32, walletSignature, wellFormedText } from '../../http/primitives.ts'

const MAX_ARTIFACTS = 20

/** Path separators, control characters, and marks that turn the direction of writing: each can make a name lie. */
const MISLEADING = /[/\\\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/** A plain file name: whoever saves a file under it must not write elsewhere or see another ending. */
const fileName = wellFormedText(1, 255)
  .refine((name) => !MISLEADING.test(name), {
    error: 'must be a plain file name without path separators, control or direction characters',
  })
  .refine((name) => name !== '.' && name !== '..', { error: 'must be a plain file name' })

const mimeType = z.string().min(1).max(120).regex(MIME_TYPE, { error: 'must be a MIME type such as text/plain' })

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
    .array(
      z.object({
        fileName,
        mimeType,
        role: z.enum(artifactRoles).default('final'),
        file: base64File,
      }),
    )
    .min(1)
    .max(MAX_ARTIFACTS),
  signature: walletSignature.meta({
    description: 'EIP-191 by the worker over `service:submit:<taskId>`, the task id in lower case.',
  }),
})

export type CreateSubmissionBody = z.output<typeof createSubmissionBody>
