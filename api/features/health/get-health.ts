import { z } from 'zod'
import { timestampOut } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'

const positiveInteger = z.int().min(1)

/**
 * Reports that the process runs. If the database is not available, the answer has no `intents`. `/ready` reports
 * whether the process should get requests. See the specification, "Health and stats".
 *
 * Example: `GET /api/health` answers `{"status": "ok", "timestamp": "2026-11-22T23:03:59.555Z", "environment": "local",
 * "limits": {"freeSubmissionAllowance": 5, "hardSubmissionCeiling": 100}, ..}`.
 */
export const getHealth = defineRoute({
  operationId: 'getHealth',
  method: 'get',
  path: '/health',
  tag: 'service',
  summary: 'Say that the service runs, and its limits',
  responses: {
    200: {
      description: 'The service runs.',
      schema: z.object({
        status: z.literal('ok'),
        timestamp: timestampOut.meta({ description: "The host's clock; rules use the time of the chain head." }),
        environment: z.string(),
        commitSha: z.string().optional(),
        limits: z.object({
          freeSubmissionAllowance: positiveInteger.meta({ description: 'Free submissions of one worker to one task.' }),
          hardSubmissionCeiling: positiveInteger.meta({
            description: 'Submissions of one worker to one task, paid ones too.',
          }),
        }),
        intents: z
          .object({ measuredAt: timestampOut, staleNonTerminal: z.int().min(0) })
          .optional()
          .meta({
            description: 'Relayed writes without an outcome for ten minutes; absent while they cannot be counted.',
          }),
      }),
    },
  },
  handler: async ({ config, observe }) => {
    const staleIntents = await observe.staleIntents()
    return {
      status: 'ok',
      timestamp: new Date().toISOString(),
      environment: config.ENVIRONMENT,
      ...(config.COMMIT_SHA !== undefined && { commitSha: config.COMMIT_SHA }),
      limits: { freeSubmissionAllowance: config.FREE_SUBMISSIONS, hardSubmissionCeiling: config.SUBMISSION_CEILING },
      ...(staleIntents !== null && {
        intents: { measuredAt: new Date(staleIntents.measuredAt).toISOString(), staleNonTerminal: staleIntents.count },
      }),
    }
  },
})
