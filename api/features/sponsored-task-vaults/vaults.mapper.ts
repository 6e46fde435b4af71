import type { z } from 'zod'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { VaultManagerRow, VaultRow, VaultSettlementRow } from './vaults.queries.ts'
import type { settlementSchema, vaultBalanceSchema, vaultManagerSchema, vaultSchema } from './vaults.schemas.ts'

/** Returns the public form of a vault. */
export function toVault(row: VaultRow, chainId: number): z.output<typeof vaultSchema> {
  return {
    vaultId: row.vaultId,
    chainId,
    hookAddress: toAddress(row.hook),
    vaultAddress: toAddress(row.vault),
    tokenAddress: toAddress(row.token),
    owner: toAddress(row.owner),
    tokenSymbol: row.tokenSymbol,
    tokenName: row.tokenName,
    tokenDecimals: row.tokenDecimals,
    ...toVaultBalance(row),
    epoch: row.epoch,
    status: row.exitedAt === null ? 'active' : 'exited',
    curationStatus: row.curationStatus,
    createdAt: toTimestamp(row.blockTimestamp),
  }
}

/** Returns the public form of a vault's balances. */
export function toVaultBalance({
  fundedTotal,
  available,
  owing,
}: Pick<VaultRow, 'fundedTotal' | 'available' | 'owing'>): z.output<typeof vaultBalanceSchema> {
  return {
    fundedTotal: toAmount(fundedTotal),
    availableBalance: toAmount(available),
    reservedBalance: toAmount(owing),
  }
}

/** Returns the public form of a vault's manager. */
export function toVaultManager(row: VaultManagerRow): z.output<typeof vaultManagerSchema> {
  return {
    vaultId: row.vaultId,
    managerAddress: toAddress(row.manager),
    spendCap: toAmount(row.spendCap),
    spent: toAmount(row.spent),
    active: row.active,
  }
}

/** Returns the public form of a vault's settlement of one task. */
export function toSettlement(row: VaultSettlementRow): z.output<typeof settlementSchema> {
  return {
    vaultId: row.vaultId,
    taskId: row.taskId,
    epoch: row.epoch,
    merkleRoot: row.root,
    totalAmount: toAmount(row.total),
    releasedAmount: toAmount(row.paid),
  }
}
