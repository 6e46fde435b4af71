import { z } from 'zod'
import { defineRoute } from '../../http/route.ts'
import { addressOut, toAddress } from '../../http/wire.ts'
import { listDefaultHooks } from './market.queries.ts'

/** Hooks a task can run with, default ones included; the market's own limit. */
const MAX_HOOKS = 8

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
