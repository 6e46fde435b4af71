import { z } from 'zod'
import { defineRoute } from '../../http/route.ts'
import { timestampOut } from '../../http/wire.ts'
import { countStaleIntents } from './health.queries.ts'

const positive = z.int().min(1)

/** Spec, "Health and stats". Answers 503 while the database does. */
export const getHealth = defineRoute({
  operationId: 'getHealth',
  method: 'get',
  path: '/health',
  tag: 'service',
  summary: 'Say whether the service works, and its limits',
  responses: {
    200: {
      description: 'The service works.',
      schema: z.object({
        status: z.literal('ok'),
        timestamp: timestampOut.meta({ description: "The host's clock; rules use the time of the chain head." }),
        environment: z.string(),
        commitSha: z.string().optional(),
        limits: z.object({
          freeSubmissionAllowance: positive.meta({ description: 'Free submissions of one worker to one task.' }),
          hardSubmissionCeiling: positive.meta({
            description: 'Submissions of one worker to one task, paid ones too.',
          }),
        }),
        intents: z
          .object({ measuredAt: timestampOut, staleNonTerminal: z.int().min(0) })
          .optional()
          .meta({ description: 'Relayed writes without an outcome for ten minutes.' }),
      }),
    },
  },
  handler: async ({ config, sql }) => {
    const staleNonTerminal = await countStaleIntents(sql)
    const timestamp = new Date().toISOString()
    return {
      status: 'ok',
      timestamp,
      environment: config.ENVIRONMENT,
      ...(config.COMMIT_SHA !== undefined && { commitSha: config.COMMIT_SHA }),
      limits: { freeSubmissionAllowance: config.FREE_SUBMISSIONS, hardSubmissionCeiling: config.SUBMISSION_CEILING },
      intents: { measuredAt: timestamp, staleNonTerminal },
    }
  },
})
