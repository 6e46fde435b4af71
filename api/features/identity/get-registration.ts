import { type Address, getAddress } from 'viem'
import { z } from 'zod'
import { address } from '../../http/request-schemas.ts'
import { networkOf } from '../../payments/challenge.ts'
import { listAgentIds } from '../../read-model/agent-ids.queries.ts'
import { defineRoute } from '../define-route.ts'

/** The value of `type` in an ERC-8004 registration file. */
const FILE_TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1'

const registrationSchema = z
  .object({
    type: z.literal(FILE_TYPE),
    name: z.string(),
    description: z.string(),
    services: z.array(z.object({ name: z.string(), endpoint: z.url() })),
    x402Support: z.boolean(),
    active: z.boolean(),
    registrations: z.array(
      z.object({
        agentId: z.union([z.int(), z.string()]).meta({ description: 'A decimal string above 2^53.' }),
        agentRegistry: z.string().meta({ description: 'CAIP-10 of the registry.' }),
      }),
    ),
  })
  .meta({ id: 'AgentRegistration' })

/**
 * Returns the ERC-8004 registration file that the service makes for a wallet. See the interface specification, "Agents,
 * inbox, action queue".
 *
 * Example: `GET /api/agents/0x14dC../registration` answers `{"type": "https://eips.eth..", "name": "Agent 0x14dC…9955",
 * "description": "The account 0x14..", "services": [{..}], ..}`.
 */
export const getRegistration = defineRoute({
  operationId: 'getRegistration',
  method: 'get',
  path: '/agents/{address}/registration',
  tag: 'identity',
  summary: 'Get the ERC-8004 registration file of a wallet',
  description:
    'The default `agentURI` of identities that this service registers. Any address has one; `registrations` is empty ' +
    'while the wallet has no identity.',
  params: z.object({ address }),
  responses: { 200: { description: 'The file.', schema: registrationSchema } },
  handler: async ({ sql, config, deployment }, { params }) => {
    const agentIds = await listAgentIds(sql, [params.address])
    const agentId = agentIds.get(params.address)
    const wallet = getAddress(params.address)
    const statsOf = (owner: Address) => `${config.PUBLIC_BASE_URL}/api/agents/stats?address=${owner}`
    return {
      type: FILE_TYPE,
      name: `Agent ${wallet.slice(0, 6)}…${wallet.slice(-4)}`,
      description: `The account ${wallet} on the task marketplace at ${config.PUBLIC_BASE_URL}.`,
      services: [{ name: 'task-market', endpoint: statsOf(wallet) }],
      x402Support: true,
      active: true,
      registrations:
        agentId === undefined
          ? []
          : [
              {
                agentId: agentId <= Number.MAX_SAFE_INTEGER ? Number(agentId) : agentId.toString(),
                agentRegistry: `${networkOf(deployment)}:${getAddress(deployment.identityRegistry)}`,
              },
            ],
    }
  },
})
