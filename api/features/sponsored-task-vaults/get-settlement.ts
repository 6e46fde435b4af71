import { z } from 'zod'
import { queryInteger } from '../../http/query.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getVaultOrThrow } from './vault-of-path.ts'
import { vaultParams } from './vault-parameters.ts'
import { toSettlement } from './vaults.mapper.ts'
import { findNewestSettlement } from './vaults.queries.ts'
import { settlementSchema } from './vaults.schemas.ts'

const MAX_EPOCH = 2 ** 31 - 1

/**
 * Returns the newest settlement of a vault in an epoch, or null if there is none. See the specification,
 * "Sponsored-task vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/0xa9be../settlement?epoch=0` answers `{"vaultId": "0xa9be..", "taskId":
 * "0x7c70..", "epoch": 0, "merkleRoot": "0xe2bc..", ..}`.
 */
export const getSettlement = defineRoute({
  operationId: 'getVaultSettlement',
  method: 'get',
  path: '/sponsored-task-vaults/{vaultId}/settlement',
  tag: 'sponsored-task vaults',
  summary: 'Get the newest settlement of a vault',
  params: vaultParams,
  query: z.object({ epoch: queryInteger(0, MAX_EPOCH), taskId: bytes32.optional() }),
  responses: {
    200: {
      description: 'The one that was installed last, of the task where it is named; null when there is none.',
      schema: settlementSchema.nullable(),
    },
    404: { description: 'No vault has this id.' },
  },
  handler: async ({ sql }, { params: { vaultId }, query }) => {
    await getVaultOrThrow(sql, vaultId)
    const row = await findNewestSettlement(sql, { vaultId, ...query })
    return row && toSettlement(row)
  },
})
