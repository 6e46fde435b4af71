import { nothing } from '../decisions.ts'
import { registrarCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { actionFee } from '../prices.ts'

/**
 * Makes an ERC-8004 identity the payer's agent at this market. The payer must own the identity.
 * Example: the call `adopt(agentId)` of the registrar with the agent id 42. The service's fee is 1_000n base units of
 * USDC.
 */
export const adoptIdentity = registrarCall('adopt')({
  name: 'identity.adopt',
  operationId: 'adoptIdentity',
  path: '/identity/adopt',
  modes: ['paid'],
  facts: [],
  normalise: ({ agentId }: { agentId: string }) => ({ agentId: BigInt(agentId) }),
  args: ({ agentId }) => [agentId],
  price: actionFee,
  decides: nothing,
})

export const adoptIdentityListing: ListingOf<typeof adoptIdentity> = {
  summary: 'Adopt an ERC-8004 identity that the payer owns',
  description:
    'From then on the identity is the agent id of the payer: one that it was sent, or that is older than this market. ' +
    'Refused while another account owns it; nothing is charged then.',
  gas: { typicalGas: 180_000, gasCeiling: 350_000 },
  example: { agentId: '42' },
}
