import { z } from 'zod'
import { addressOut, hashOut, timestampOut } from '../../http/wire.ts'

/** Interface, "Record shapes": Artifact. */
const artifactSchema = z
  .object({
    id: z.string(),
    taskId: hashOut,
    submissionId: hashOut,
    workerAddress: addressOut,
    workerAgentId: z.string().nullable(),
    role: z.enum(['preview', 'source', 'final', 'attachment']),
    fileName: z.string(),
    mimeType: z.string(),
    mediaKind: z.enum(['image', 'video', 'audio', 'pdf', 'text', 'archive', 'unknown']),
    storageUri: z.string().meta({ description: 'Opaque: `artifact:<id>`.' }),
    sizeBytes: z.int().min(0),
    sha256Hash: z.string().regex(/^[0-9a-f]{64}$/),
    keccak256Hash: hashOut,
    displayOrder: z.int().min(0),
    textPreview: z.string().optional(),
    previewUrl: z.string().optional().meta({ description: 'Signed, expiring; for kinds that can be shown.' }),
    previewExpiresAt: timestampOut.optional(),
  })
  .meta({ id: 'Artifact' })

/** A worker's record as submissions, pitches and the like carry it. */
const workerStatsSchema = z
  .object({
    completedTasks: z.int().min(0),
    ratedTasks: z.int().min(0),
    totalStars: z.int().min(0),
    averageRating: z.number().min(0).max(100).nullable(),
  })
  .meta({ id: 'WorkerStats' })

/** Interface, "Record shapes": Submission. */
export const submissionSchema = z
  .object({
    id: hashOut,
    referenceCode: z.string(),
    taskId: hashOut,
    workerAddress: addressOut,
    fileUrl: z.string().nullable().meta({ description: 'Signed, expiring URL of the main file.' }),
    signature: z.string().nullable().meta({ description: 'Null for everyone but the signer.' }),
    submittedAt: timestampOut,
    rejectedAt: timestampOut.nullable().meta({ description: 'Null: the submission is active.' }),
    workerAgentId: z.string().nullable(),
    deliverableHash: hashOut.nullable(),
    submitTxHash: hashOut.nullable(),
    artifacts: z.array(artifactSchema),
    workerStats: workerStatsSchema.nullable(),
  })
  .meta({ id: 'Submission' })

export type Artifact = z.output<typeof artifactSchema>
export type Submission = z.output<typeof submissionSchema>
