import { z } from 'zod'
import { address } from '../../http/request-schemas.ts'
import { amountOut, hashOut, toAmount } from '../../http/response-schemas.ts'
import { listClaimsInFlight } from '../../intents/vault-claims.queries.ts'
import { defineRoute } from '../define-route.ts'
import { getVaultOrThrow } from './vault-of-path.ts'
import { vaultParams } from './vault-parameters.ts'

/**
 * Lists the pending claims of a worker on a vault. A claim is pending while the service relays it. See the
 * specification, "Sponsored-task vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/0xa9be../claimable?workerAddress=0x14dC..` answers `[]`.
 */
export const listClaimable = defineRoute({
  operationId: 'listClaimable',
  method: 'get',
  path: '/sponsored-task-vaults/{vaultId}/claimable',
  tag: 'sponsored-task vaults',
  summary: 'List the claims of a worker in a vault that are on their way',
  params: vaultParams,
  query: z.object({ workerAddress: address }),
  responses: {
    200: {
      description: 'At most one: claims of a worker in a vault are sent one at a time.',
      schema: z.array(
        z.object({
          taskId: hashOut,
          amount: amountOut,
          status: z.enum(['pending', 'broadcast']).meta({ description: '`pending`: not sent yet.' }),
        }),
      ),
    },
    404: { description: 'No vault has this id.' },
  },
  handler: async ({ sql }, { params, query: { workerAddress: worker } }) => {
    const { vault } = await getVaultOrThrow(sql, params.vaultId)
    const claims = await listClaimsInFlight(sql, { vault, worker })
    return claims.map(({ taskId, amount, status }) => ({
      taskId,
      amount: toAmount(amount),
      status: status === 'recorded' ? 'pending' : status,
    }))
  },
})
