import { z } from 'zod'
import { artifactRoles } from '../../protocol/documents/submission-manifest.ts'
import { mediaKinds } from '../domain/artifacts/media-kind.ts'
import { addressOut, hashOut, timestampOut } from '../http/response-schemas.ts'

/** The schema of a delivered file. See the interface specification, "Record shapes": Artifact. */
export const artifactSchema = z
  .object({
    id: z.string(),
    taskId: hashOut,
    submissionId: hashOut,
    workerAddress: addressOut,
    workerAgentId: z.string().nullable(),
    role: z.enum(artifactRoles),
    fileName: z.string(),
    mimeType: z.string(),
    mediaKind: z.enum(mediaKinds),
    storageUri: z.string().meta({ description: 'Opaque: `artifact:<id>`.' }),
    sizeBytes: z.int().min(0),
    sha256Hash: z.string().regex(/^[0-9a-f]{64}$/),
    keccak256Hash: hashOut,
    displayOrder: z.int().min(0),
    textPreview: z.string().optional().meta({
      description: 'The beginning of a text. Characters that cannot be seen stand as escapes such as `\\u202e`.',
    }),
    previewUrl: z.string().optional().meta({ description: 'Signed, expiring; for kinds that can be shown.' }),
    previewExpiresAt: timestampOut.optional(),
  })
  .meta({ id: 'Artifact' })

export type Artifact = z.output<typeof artifactSchema>
