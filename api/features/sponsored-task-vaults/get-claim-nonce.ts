import { z } from 'zod'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { address } from '../../http/request-schemas.ts'
import { listClaimsInFlight } from '../../intents/vault-claims.queries.ts'
import { defineRoute } from '../define-route.ts'
import { getVaultOrThrow } from './vault-of-path.ts'
import { vaultParams } from './vault-parameters.ts'

/** Spec, "Sponsored-task vaults". */
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
    // First what is on its way: a claim that is mined in between is then counted by the vault.
    const inFlight = await listClaimsInFlight(deps.sql, { vault, worker })
    const next = await deps.chain.readContract({
      address: vault,
      abi: sponsoredVaultAbi,
      functionName: 'nonceOf',
      args: [worker],
    })
    const afterFlight = inFlight.reduce((most, { nonce }) => (nonce + 1n > most ? nonce + 1n : most), next)
    return { nonce: afterFlight.toString() }
  },
})
