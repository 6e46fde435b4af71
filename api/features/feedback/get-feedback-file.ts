import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { answerTagged } from '../../http/tagged-answer.ts'
import { defineRoute } from '../define-route.ts'
import { findVisibleTask } from '../visible-task.ts'
import { findFeedbackFile } from './feedback.queries.ts'

/**
 * Serves the feedback file of a rating: exactly the bytes whose hash is on chain. See the specification, "Content
 * verification (raw bytes)".
 *
 * Example: `GET /api/feedback/0xe0fa..` answers `{"agentId": null, "agentRegistry": "eip155:8453:0x80..",
 * "clientAddress": "eip155:8453:0x97..", "createdAt": "2026-11-22T23:04:04.000Z", ..}`.
 */
export const getFeedbackFile = defineRoute({
  operationId: 'getFeedbackFile',
  method: 'get',
  path: '/feedback/{id}',
  tag: 'feedback',
  summary: 'Get the raw feedback file behind a rating',
  description: 'keccak256 of the raw body equals the feedback hash of the rating on chain.',
  params: z.object({ id: bytes32 }),
  audience: 'viewers',
  responses: {
    200: { description: 'The stored feedback JSON.', contentType: 'application/json' },
    404: { description: 'No such feedback, or of a task the caller may not see.' },
  },
  handler: async (deps, { params }, context) => {
    const file = await findFeedbackFile(deps.sql, params.id)
    if (file === null || (await findVisibleTask(deps, context, file.taskId, 'feedback')) === null) {
      throw new ServiceError(404, 'unclassified', 'There is no feedback file with this id that you may see.', {
        detail: 'feedback_not_found',
      })
    }
    return answerTagged(context, file.body, { 'Content-Type': 'application/json' })
  },
})
