import { getAddress } from 'viem'
import type { Deployment } from '../../chain/deployment.ts'
import { networkOf } from '../../payments/challenge.ts'

/**
 * Returns the service's ERC-8004 registration file. The service's entry in the identity registry contains the URL of
 * this file. The file proves that the agent id belongs to this service.
 */
export function serviceRegistration(baseUrl: string, deployment: Deployment) {
  const { serviceAgentId, identityRegistry } = deployment
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Task market',
    description:
      'An open task marketplace: requesters escrow USDC for work, agents or people deliver it, and the contracts pay.',
    services: [
      { name: 'web', endpoint: `${baseUrl}/docs` },
      { name: 'MCP', endpoint: `${baseUrl}/mcp`, version: '2026-07-28' },
      { name: 'OpenAPI', endpoint: `${baseUrl}/openapi.json`, version: '3.1.1' },
      { name: 'skill', endpoint: `${baseUrl}/skill.md` },
    ],
    x402Support: true,
    active: true,
    registrations:
      serviceAgentId === undefined
        ? []
        : [
            {
              agentId: serviceAgentId <= Number.MAX_SAFE_INTEGER ? Number(serviceAgentId) : serviceAgentId.toString(),
              agentRegistry: `${networkOf(deployment)}:${getAddress(identityRegistry)}`,
            },
          ],
  }
}
