import { z } from 'zod'
import { amountOut, toAmount } from '../../../http/response-schemas.ts'
import { defineRoute } from '../../define-route.ts'
import { readPublicTotals } from './public-totals.ts'

/** Returns the number of public tasks and the sum of their rewards. See the specification, "Health and stats". */
export const getTaskStats = defineRoute({
  operationId: 'getTaskStats',
  method: 'get',
  path: '/tasks/stats',
  tag: 'tasks',
  summary: 'Count tasks and their rewards',
  responses: {
    200: {
      description: 'All public tasks, and the sum of their gross rewards in base units.',
      schema: z.object({ count: z.int().min(0), totalRewards: amountOut }),
    },
  },
  handler: async ({ sql }) => {
    const { count, totalRewards } = await readPublicTotals(sql)
    return { count: Number(count), totalRewards: toAmount(totalRewards) }
  },
})
