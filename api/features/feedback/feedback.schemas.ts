import { z } from 'zod'
import { addressOut, hashOut, timestampOut } from '../../http/response-schemas.ts'

/** Spec, "Other records": Feedback. */
export const feedbackSchema = z
  .object({
    id: hashOut,
    taskId: hashOut,
    workerAddress: addressOut,
    workerAgentId: z.string().nullable(),
    requesterAddress: addressOut,
    requesterAgentId: z.string().nullable(),
    rating: z.int().min(0).max(100),
    feedbackText: z.string().nullable().meta({ description: 'Null for a rating made by a direct chain call.' }),
    ratingTxHash: hashOut,
    createdAt: timestampOut,
  })
  .meta({ id: 'Feedback' })

export type Feedback = z.output<typeof feedbackSchema>
