import { z } from 'zod'
import { address } from '../../http/request-schemas.ts'
import { listAgentIds } from '../../read-model/agent-ids.queries.ts'
import { defineRoute } from '../define-route.ts'
import { findIndexedRegistry } from './identity.queries.ts'

/**
 * Returns the ERC-8004 id of a wallet. The id is null if the wallet has none. See the specification, "Agents and
 * identity", and the interface specification, "Identity, devices and keys".
 *
 * Example: `GET /api/identity/status?address=0x14dC..` answers `{"agentId": "0", "registered": true, "cacheFresh":
 * true}`.
 */
export const getIdentityStatus = defineRoute({
  operationId: 'getIdentityStatus',
  method: 'get',
  path: '/identity/status',
  tag: 'identity',
  summary: 'Tell whether a wallet has an ERC-8004 identity',
  query: z.object({ address }),
  responses: {
    200: {
      description: 'As the indexer has it.',
      schema: z.object({
        agentId: z.string().nullable().meta({ description: 'A decimal string; null without an identity.' }),
        registered: z.boolean(),
        cacheFresh: z.boolean().meta({
          description: 'The ids are of the registry that the market uses now, on the chain of this service.',
        }),
      }),
    },
  },
  handler: async ({ sql, deployment }, { query }) => {
    const [agentIds, registry] = await Promise.all([listAgentIds(sql, [query.address]), findIndexedRegistry(sql)])
    const agentId = agentIds.get(query.address) ?? null
    return {
      agentId: agentId?.toString() ?? null,
      registered: agentId !== null,
      cacheFresh: registry === deployment.identityRegistry,
    }
  },
})
