import { z } from 'zod'
import { artifactRoles, DEFAULT_ROLE } from '../../../protocol/documents/submission-manifest.ts'
import { MIME_TYPE } from '../../domain/artifacts/media-kind.ts'
import { plainName } from '../../http/request-schemas.ts'

/** The most files of a submission. Spec, "Limits". */
export const MAX_ARTIFACTS = 20

/** The largest uploaded file. Spec, "Limits". */
const MAX_UPLOAD_BYTES = 500 * 1024 * 1024

/** A plain file name: a client that saves a file under it must not write elsewhere or show another extension. */
const fileName = plainName(1, 255)
  .refine((name) => !/[/\\]/.test(name), { error: 'must be a plain file name without path separators' })
  .refine((name) => name !== '.' && name !== '..', { error: 'must be a plain file name' })

const mimeType = z.string().min(1).max(120).regex(MIME_TYPE, { error: 'must be a MIME type such as text/plain' })

/** The declared fields of a file, for both ways of its bytes. */
export const fileFields = { fileName, mimeType, role: z.enum(artifactRoles).optional().meta({ default: DEFAULT_ROLE }) }

/** The size of an uploaded file, bytes. */
export const uploadSizeBytes = z
  .int()
  .min(1)
  .max(MAX_UPLOAD_BYTES, {
    error: `must be at most ${MAX_UPLOAD_BYTES}: 500 MB a file`,
  })
