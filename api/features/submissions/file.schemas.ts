import { z } from 'zod'
import { artifactRoles, DEFAULT_ROLE } from '../../../protocol/documents/submission-manifest.ts'
import { MIME_TYPE } from '../../domain/artifacts/media-kind.ts'
import { plainName } from '../../http/request-schemas.ts'

/** The largest number of files in a submission. See the specification, "Limits". */
export const MAX_ARTIFACTS = 20

/** The largest size of an uploaded file, in bytes. See the specification, "Limits". */
const MAX_UPLOAD_BYTES = 500 * 1024 * 1024

/**
 * The schema of a file name. A client can safely save a file under the name: the name has no folder and shows its true
 * extension.
 */
const fileName = plainName(1, 255)
  .refine((name) => !/[/\\]/.test(name), { error: 'must be a plain file name without path separators' })
  .refine((name) => name !== '.' && name !== '..', { error: 'must be a plain file name' })

const mimeType = z.string().min(1).max(120).regex(MIME_TYPE, { error: 'must be a MIME type such as text/plain' })

/** The fields with which a worker describes a file, whether the file is uploaded or sent in the body. */
export const fileFields = { fileName, mimeType, role: z.enum(artifactRoles).optional().meta({ default: DEFAULT_ROLE }) }

/** The schema of the size of an uploaded file, in bytes. */
export const uploadSizeBytes = z
  .int()
  .min(1)
  .max(MAX_UPLOAD_BYTES, {
    error: `must be at most ${MAX_UPLOAD_BYTES}: 500 MB a file`,
  })
