import { z } from 'zod'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { address } from '../../http/request-schemas.ts'
import { listClaimsInFlight } from '../../intents/vault-claims.queries.ts'
import { defineRoute } from '../define-route.ts'
import { getVaultOrThrow } from './vault-of-path.ts'
import { vaultParams } from './vault-parameters.ts'

/**
 * Returns the nonce that a worker must sign for the next claim from a vault. See the specification, "Sponsored-task
 * vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/0xa9be../claim-nonce?workerAddress=0x14dC..` answers `{"nonce": "0"}`.
 */
export const getClaimNonce = defineRoute({
  operationId: 'getClaimNonce',
  method: 'get',
  path: '/sponsored-task-vaults/{vaultId}/claim-nonce',
  tag: 'sponsored-task vaults',
  summary: 'Get the nonce of the next claim of a worker',
  description: 'Read from the chain; a claim on its way counts as made.',
  params: vaultParams,
  query: z.object({ workerAddress: address }),
  responses: {
    200: {
      description: 'The nonce to sign.',
      schema: z.object({ nonce: z.string().regex(/^[0-9]+$/) }).meta({ id: 'ClaimNonce' }),
    },
    404: { description: 'No vault has this id.' },
  },
  handler: async (deps, { params, query: { workerAddress: worker } }) => {
    const { vault } = await getVaultOrThrow(deps.sql, params.vaultId)
    // Claims in flight are read first, so that the vault counts a claim that is mined in between.
    const claimsInFlight = await listClaimsInFlight(deps.sql, { vault, worker })
    const next = await deps.chain.readContract({
      address: vault,
      abi: sponsoredVaultAbi,
      functionName: 'nonceOf',
      args: [worker],
    })
    const afterFlight = claimsInFlight.reduce((most, { nonce }) => (nonce + 1n > most ? nonce + 1n : most), next)
    return { nonce: afterFlight.toString() }
  },
})
