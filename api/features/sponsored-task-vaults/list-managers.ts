import { z } from 'zod'
import { endPage, nextPageHeaders } from '../../http/next-page.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { address } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getVaultOrThrow } from './vault-of-path.ts'
import { vaultParams } from './vault-parameters.ts'
import { toVaultManager } from './vaults.mapper.ts'
import { listVaultManagers } from './vaults.queries.ts'
import { vaultManagerSchema } from './vaults.schemas.ts'

/**
 * Lists the managers of a vault. See the specification, "Sponsored-task vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/0xa9be../managers` answers `[{"vaultId": "0xa9be..", "managerAddress":
 * "0x976E..", ..}]`.
 */
export const listManagers = defineRoute({
  operationId: 'listVaultManagers',
  method: 'get',
  path: '/sponsored-task-vaults/{vaultId}/managers',
  tag: 'sponsored-task vaults',
  summary: 'List the managers of a vault',
  description: 'Every account that the owner ever named, by address; `active` ones may charge the vault.',
  params: vaultParams,
  query: z.object({
    limit: queryIntegerOr(100, { min: 1, max: 500 }),
    after: address.optional().meta({ description: 'A manager of an earlier page.' }),
  }),
  responses: {
    200: { description: 'One page of managers.', schema: z.array(vaultManagerSchema), headers: nextPageHeaders },
    404: { description: 'No vault has this id.' },
  },
  handler: async (deps, { params: { vaultId }, query }, c) => {
    const { after, limit } = query
    await getVaultOrThrow(deps.sql, vaultId)
    const rows = await listVaultManagers(deps.sql, vaultId, { after, limit: limit + 1 })
    const source = { path: `/sponsored-task-vaults/${vaultId}/managers`, query }
    return endPage(c, deps, { rows, idOf: ({ manager }) => manager, source }).map(toVaultManager)
  },
})
