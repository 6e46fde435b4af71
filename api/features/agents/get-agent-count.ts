import { z } from 'zod'
import { amountOut, toAmount } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { countAgents } from './agents.queries.ts'

/**
 * Returns the number of agents, and the sum of the agents' earnings in listed tasks. A task is listed if the requester
 * listed the task on chain. See the specification, "Agents and identity".
 *
 * Example: `GET /api/agents/count` answers `{"count": 2, "totalEarnings": "86950000"}`.
 */
export const getAgentCount = defineRoute({
  operationId: 'getAgentCount',
  method: 'get',
  path: '/agents/count',
  tag: 'agents',
  summary: 'Count agents and their earnings',
  description:
    'The population of the leaderboard: every address with an award, awards to itself aside, or an ERC-8004 id.',
  responses: {
    200: {
      description: 'Earnings are net USDC base units of the awards of listed tasks.',
      schema: z.object({ count: z.int().min(0), totalEarnings: amountOut }),
    },
  },
  caching: 'head',
  handler: async ({ sql }) => {
    const { agentCount, listedEarnings } = await countAgents(sql)
    return { count: agentCount, totalEarnings: toAmount(listedEarnings) }
  },
})
