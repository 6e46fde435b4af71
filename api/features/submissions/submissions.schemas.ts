import { z } from 'zod'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { addressOut, amountOut, hashOut, timestampOut } from '../../http/response-schemas.ts'
import { artifactSchema } from '../artifact.schemas.ts'

/** The schema of a worker's record inside another record, for example inside a submission. */
const workerStatsSchema = z
  .object({
    completedTasks: z.int().min(0),
    ratedTasks: z.int().min(0),
    totalStars: z.int().min(0),
    averageRating: z.number().min(0).max(100).nullable(),
  })
  .meta({ id: 'WorkerStats' })

/** The schema of a submission. See the interface specification, "Record shapes": Submission. */
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

export type Submission = z.output<typeof submissionSchema>

/** The schema of a submission in the list of its worker. See the specification, "Other records": My-submission row. */
export const mySubmissionSchema = z
  .object({
    submissionId: hashOut,
    taskId: hashOut,
    taskDescription: z.string().nullable().meta({ description: 'Null: the task is private, and not for the caller.' }),
    taskStatus: z.enum(taskStatuses),
    taskMode: z.enum(taskModes),
    taskReward: amountOut,
    submittedAt: timestampOut,
    deliverableHash: hashOut.nullable(),
    submitTxHash: hashOut.nullable(),
    rejectedAt: timestampOut.nullable().meta({ description: 'Null: the submission is active.' }),
  })
  .meta({ id: 'MySubmission' })

export type MySubmission = z.output<typeof mySubmissionSchema>

/** The schema of a signed URL of a file's bytes. See the specification, "Submissions" (preview, download). */
export const presignedUrlSchema = z.object({
  presignedUrl: z.string().meta({ description: 'Any client can GET the bytes there until it ends.' }),
  expiresAt: timestampOut,
})
