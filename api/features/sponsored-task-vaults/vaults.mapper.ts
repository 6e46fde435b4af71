import type { z } from 'zod'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { VaultManagerRow, VaultRow, VaultSettlementRow } from './vaults.queries.ts'
import type { settlementSchema, vaultBalanceSchema, vaultManagerSchema, vaultSchema } from './vaults.schemas.ts'

/** Returns a vault in its public form. */
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

/** Returns the balances of a vault. */
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

/** Returns a manager in its public form. */
export function toVaultManager(row: VaultManagerRow): z.output<typeof vaultManagerSchema> {
  return {
    vaultId: row.vaultId,
    managerAddress: toAddress(row.manager),
    spendCap: toAmount(row.spendCap),
    spent: toAmount(row.spent),
    active: row.active,
  }
}

/** Returns a settlement in its public form. */
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
