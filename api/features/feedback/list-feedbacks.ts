import { z } from 'zod'
import { bytes32 } from '../../http/request-schemas.ts'
import { addressOut, hashOut, timestampOut, toAddress, toTimestamp } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getVisibleTask } from '../visible-task.ts'
import { type FeedbackRow, listFeedbacks } from './feedback.queries.ts'

/** The schema of a rating with its text. See the specification, "Other records": Feedback. */
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

type Feedback = z.output<typeof feedbackSchema>

/**
 * Lists the ratings that the workers of a task got for the task. See the specification, "Claim, pitches, bids, proofs".
 *
 * Example: `GET /api/tasks/0x9f0d../feedbacks` answers `{"feedbacks": [{..}]}`.
 */
export const listTaskFeedbacks = defineRoute({
  operationId: 'listTaskFeedbacks',
  method: 'get',
  path: '/tasks/{taskId}/feedbacks',
  tag: 'feedback',
  summary: "List the ratings of a task's workers",
  params: z.object({ taskId: bytes32 }),
  audience: 'viewers',
  responses: {
    200: { description: 'Oldest first.', schema: z.object({ feedbacks: z.array(feedbackSchema) }) },
    404: { description: 'No such task, or none the caller may see.' },
  },
  handler: async (deps, { params }, context) => {
    const { task } = await getVisibleTask(deps, context, params.taskId, 'feedback')
    return { feedbacks: (await listFeedbacks(deps.sql, task.id)).map(toFeedback) }
  },
})

function toFeedback(row: FeedbackRow): Feedback {
  return {
    id: row.id,
    taskId: row.taskId,
    workerAddress: toAddress(row.worker),
    workerAgentId: row.workerAgentId?.toString() ?? null,
    requesterAddress: toAddress(row.requester),
    requesterAgentId: row.requesterAgentId?.toString() ?? null,
    rating: row.rating,
    feedbackText: row.feedbackText,
    ratingTxHash: row.transactionHash,
    createdAt: toTimestamp(row.ratedAt),
  }
}
