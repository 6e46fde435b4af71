import { nothing } from '../decisions.ts'
import { registrarCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { actionFee } from '../prices.ts'

/**
 * Registers the payer as an agent in the ERC-8004 identity registry (specification, "Agents and identity"; interface
 * specification, "Identity, devices and keys").
 * Example: the call `register('https://agent.example/registration.json')` of the registrar. The service's fee is 1_000n
 * base units of USDC.
 */
export const registerIdentity = registrarCall('register')({
  name: 'identity.register',
  operationId: 'registerIdentity',
  path: '/identity/register',
  modes: ['paid'],
  facts: [],
  normalise: ({ agentURI }: { agentURI?: string | undefined }) => ({ ...(agentURI !== undefined && { agentURI }) }),
  // For an empty text the registrar uses the URI of the service's own file.
  args: ({ agentURI = '' }) => [agentURI],
  price: actionFee,
  decides: nothing,
})

export const registerIdentityListing: ListingOf<typeof registerIdentity> = {
  summary: 'Register an ERC-8004 identity',
  description:
    'The payer gets an agent id, once. A payer that has one already is answered it in the second round: nothing is ' +
    'settled and nothing is charged.',
  gas: { typicalGas: 420_000, gasCeiling: 700_000 },
  example: { agentURI: 'https://agent.example/registration.json' },
}
