import { z } from 'zod'
import { queryFlag, queryIntegerOr } from '../../http/query.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { toVault } from './vaults.mapper.ts'
import { listVaultRows } from './vaults.queries.ts'
import { vaultSchema } from './vaults.schemas.ts'

/**
 * Lists vaults in the order of their ids: the approved vaults, or all vaults if the query has `includeUnverified=true`.
 * See the specification, "Sponsored-task vaults".
 *
 * Example: `GET /api/sponsored-task-vaults` answers `{"vaults": [{..}], "nextCursor": null}`.
 */
export const listVaults = defineRoute({
  operationId: 'listSponsoredTaskVaults',
  method: 'get',
  path: '/sponsored-task-vaults',
  tag: 'sponsored-task vaults',
  summary: 'List vaults that fund tasks',
  description: 'Ordered by vault id; approved ones unless asked otherwise.',
  query: z.object({
    limit: queryIntegerOr(50, { min: 1, max: 100 }),
    cursor: bytes32.optional().meta({ description: '`nextCursor` of the page before.' }),
    includeUnverified: queryFlag().meta({ description: '`true`: unverified and rejected vaults as well.' }),
  }),
  responses: {
    200: {
      description: 'One page of vaults.',
      schema: z.object({ vaults: z.array(vaultSchema), nextCursor: hashOut.nullable() }),
    },
  },
  handler: async ({ sql, deployment }, { query: { limit, cursor, includeUnverified } }) => {
    const filter = { isApproved: !includeUnverified }
    const rows = await listVaultRows(sql, filter, { after: cursor, limit: limit + 1 })
    const page = rows.slice(0, limit)
    return {
      vaults: page.map((row) => toVault(row, deployment.chainId)),
      nextCursor: rows.length > limit ? (page.at(-1)?.vaultId ?? null) : null,
    }
  },
})
