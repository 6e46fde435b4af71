import { z } from 'zod'
import { endPage, nextPageHeaders } from '../../http/next-page.ts'
import { queryInteger, queryIntegerOr } from '../../http/query.ts'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { toVault } from './vaults.mapper.ts'
import { listVaultRows } from './vaults.queries.ts'
import { vaultSchema } from './vaults.schemas.ts'

const MAX_CHAIN_ID = 2 ** 32 - 1

/**
 * Lists the approved vaults of a token. See the specification, "Sponsored-task vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/by-token?tokenAddress=0x0165..&chainId=8453` answers `[{"vaultId":
 * "0xa847..", "chainId": 8453, ..}]`.
 */
export const listVaultsByToken = defineRoute({
  operationId: 'listVaultsByToken',
  method: 'get',
  path: '/sponsored-task-vaults/by-token',
  tag: 'sponsored-task vaults',
  summary: 'List the approved vaults of a token',
  query: z.object({
    tokenAddress: address,
    chainId: queryInteger(1, MAX_CHAIN_ID).meta({ description: 'Of another chain there are none.' }),
    limit: queryIntegerOr(100, { min: 1, max: 100 }),
    after: bytes32.optional().meta({ description: 'A vault id of an earlier page.' }),
  }),
  responses: {
    200: { description: 'Ordered by vault id.', schema: z.array(vaultSchema), headers: nextPageHeaders },
  },
  handler: async (deps, { query }, c) => {
    const { tokenAddress: token, chainId, after, limit } = query
    if (chainId !== deps.deployment.chainId) return []
    const rows = await listVaultRows(deps.sql, { isApproved: true, token }, { after, limit: limit + 1 })
    const source = { path: '/sponsored-task-vaults/by-token', query }
    return endPage(c, deps, { rows, idOf: ({ vaultId }) => vaultId, source }).map((row) => toVault(row, chainId))
  },
})
