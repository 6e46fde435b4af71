import { z } from 'zod'
import { MAX_HOOKS } from '../../domain/limits.ts'
import { addressOut, toAddress } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { findNewTaskTerms } from './market.queries.ts'

/**
 * Returns the hooks that every new task gets, the largest number of hooks, and the platform fee of a new task. See the
 * interface specification, "Tasks".
 *
 * Example: `GET /api/hooks/attachment-configuration` answers `{"defaultHooks": ["0x0C85.."], "maxHooks": 8,
 * "platformFeeBps": 750}`.
 */
export const getAttachmentConfiguration = defineRoute({
  operationId: 'getHookAttachmentConfiguration',
  method: 'get',
  path: '/hooks/attachment-configuration',
  tag: 'service',
  summary: 'List the hooks every new task gets',
  responses: {
    200: {
      description: 'Default hooks in order, and how many hooks a task may have in all.',
      schema: z.object({
        defaultHooks: z.array(addressOut),
        maxHooks: z.int(),
        platformFeeBps: z.int().min(0).max(10_000).nullable().meta({
          description:
            'The fee of a task that is created now, basis points; every task keeps its own. Null: the market is not indexed yet.',
        }),
      }),
    },
  },
  handler: async ({ sql }) => {
    const terms = await findNewTaskTerms(sql)
    return {
      defaultHooks: (terms?.defaultHooks ?? []).map(toAddress),
      maxHooks: MAX_HOOKS,
      platformFeeBps: terms?.feeBps ?? null,
    }
  },
})
