import type { Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'
import { defineRoute } from '../define-route.ts'
import { unknownVault, vaultParams } from './vault-parameters.ts'
import { toVault, toVaultBalance } from './vaults.mapper.ts'
import { findVault, type VaultRow } from './vaults.queries.ts'
import { vaultBalanceSchema, vaultSchema } from './vaults.schemas.ts'

/**
 * Returns the public record of a vault. See the specification, "Sponsored-task vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/0xa847..` answers `{"vaultId": "0xa847..", "chainId": 8453, "hookAddress":
 * "0x0020..", "vaultAddress": "0x510B..", ..}`.
 */
export const getVault = defineRoute({
  operationId: 'getSponsoredTaskVault',
  method: 'get',
  path: '/sponsored-task-vaults/{vaultId}',
  tag: 'sponsored-task vaults',
  summary: 'Get a vault',
  description: 'Whatever its curation.',
  params: vaultParams,
  responses: {
    200: { description: 'The vault.', schema: vaultSchema },
    404: { description: 'No vault has this id.' },
  },
  handler: async ({ sql, deployment }, { params: { vaultId } }) =>
    toVault(await getVaultRow(sql, vaultId), deployment.chainId),
})

/**
 * Returns the balances of a vault, in base units of the token that the vault holds. See the specification,
 * "Sponsored-task vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/0xa9be../balance` answers `{"fundedTotal": "1000000000000000000000",
 * "availableBalance": "900000000000000000000", "reservedBalance": "7500000000000000000"}`.
 */
export const getVaultBalance = defineRoute({
  operationId: 'getVaultBalance',
  method: 'get',
  path: '/sponsored-task-vaults/{vaultId}/balance',
  tag: 'sponsored-task vaults',
  summary: 'Get what a vault holds',
  description: 'From the indexer, which trails the chain slightly.',
  params: vaultParams,
  responses: {
    200: { description: 'Base units of its token.', schema: vaultBalanceSchema },
    404: { description: 'No vault has this id.' },
  },
  handler: async ({ sql }, { params: { vaultId } }) => toVaultBalance(await getVaultRow(sql, vaultId)),
})

async function getVaultRow(sql: Queryable, vaultId: Hex): Promise<VaultRow> {
  const row = await findVault(sql, vaultId)
  if (row === null) throw unknownVault(vaultId)
  return row
}
