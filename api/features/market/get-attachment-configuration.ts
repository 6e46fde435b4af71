import { z } from 'zod'
import { MAX_HOOKS } from '../../domain/limits.ts'
import { addressOut, toAddress } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { listDefaultHooks } from './market.queries.ts'

/** Interface, "Tasks": what a client needs to know before it names hooks. */
export const getAttachmentConfiguration = defineRoute({
  operationId: 'getHookAttachmentConfiguration',
  method: 'get',
  path: '/hooks/attachment-configuration',
  tag: 'service',
  summary: 'List the hooks every new task gets',
  responses: {
    200: {
      description: 'Default hooks in order, and how many hooks a task may have in all.',
      schema: z.object({ defaultHooks: z.array(addressOut), maxHooks: z.int() }),
    },
  },
  handler: async ({ sql }) => ({
    defaultHooks: (await listDefaultHooks(sql)).map(toAddress),
    maxHooks: MAX_HOOKS,
  }),
})
