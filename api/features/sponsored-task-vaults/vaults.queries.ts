import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'
import type { CurationStatus } from '../../read-model/vault-curation.queries.ts'

/** A vault with its curation status. Amounts are in base units of the vault's token, times in Unix seconds. */
export interface VaultRow {
  vaultId: Hex
  vault: Address
  hook: Address
  owner: Address
  token: Address
  tokenName: string | null
  tokenSymbol: string | null
  tokenDecimals: number | null
  epoch: number
  exitedAt: bigint | null
  available: bigint
  /**
   * The amount that the vault owes: the sum of the amounts reserved for tasks, owed to workers, and due as platform
   * fees.
   */
  owing: bigint
  fundedTotal: bigint
  curationStatus: CurationStatus
  blockTimestamp: bigint
}

/** Returns the vault with an id, or null if there is none. */
export async function findVault(sql: Queryable, vaultId: Hex): Promise<VaultRow | null> {
  const rows = await sql<VaultRow[]>`select ${columns(sql)} from ${tables(sql)} where vault_id = ${vaultId}`
  return rows[0] ?? null
}

/** The filter of a list of vaults. Without `token`, vaults of every token are listed. */
export interface VaultFilter {
  /** True to list only vaults that a curator approved. */
  isApproved: boolean
  token?: Address
}

/** Lists vaults in the order of their ids. The list begins after the vault id `after`. */
export async function listVaultRows(
  sql: Queryable,
  { isApproved, token }: VaultFilter,
  { after, limit }: { after?: Hex | undefined; limit: number },
): Promise<VaultRow[]> {
  return await sql<VaultRow[]>`
    select ${columns(sql)} from ${tables(sql)}
    where vault_id > ${after ?? ''}
      ${isApproved ? sql`and curation.status = 'approved'` : sql``}
      ${token === undefined ? sql`` : sql`and token = ${token}`}
    order by vault_id limit ${limit}`
}

function columns(sql: Queryable) {
  return sql`
    vault_id, vault, hook, owner, token, token_name, token_symbol, token_decimals, epoch, exited_at, available,
    reserved + owed + fees as owing, funded_total, block_timestamp,
    coalesce(curation.status, 'unverified') as curation_status`
}

function tables(sql: Queryable) {
  return sql`sponsored_vault left join service.vault_curation curation using (vault_id)`
}

/** A manager of a vault, past or present. Amounts are in base units of the vault's token. */
export interface VaultManagerRow {
  vaultId: Hex
  manager: Address
  spendCap: bigint
  spent: bigint
  active: boolean
}

/** Lists the managers of a vault in the order of their addresses. The list begins after the address `after`. */
export async function listVaultManagers(
  sql: Queryable,
  vaultId: Hex,
  { after, limit }: { after?: Address | undefined; limit: number },
): Promise<VaultManagerRow[]> {
  return await sql<VaultManagerRow[]>`
    select vault_id, manager, spend_cap, spent, active from vault_manager
    where vault_id = ${vaultId} and manager > ${after ?? ''} order by manager limit ${limit}`
}

/**
 * A vault's settlement of one task: the Merkle root over the amounts that workers can claim from the vault for the
 * task. Amounts are in base units of the vault's token.
 */
export interface VaultSettlementRow {
  vaultId: Hex
  taskId: Hex
  epoch: number
  root: Hex
  total: bigint
  paid: bigint
}

/**
 * Returns the newest settlement of a vault in an epoch, or null if the epoch has none. If `taskId` is given, only
 * settlements of this task are searched.
 */
export async function findNewestSettlement(
  sql: Queryable,
  { vaultId, epoch, taskId }: { vaultId: Hex; epoch: number; taskId?: Hex | undefined },
): Promise<VaultSettlementRow | null> {
  const rows = await sql<VaultSettlementRow[]>`
    select settlement.vault_id, settlement.task_id, settlement.epoch, settlement.root, settlement.total, charge.paid
    from vault_settlement settlement join vault_charge charge using (id)
    where settlement.vault_id = ${vaultId} and settlement.epoch = ${epoch} and charge.is_own_hook
      ${taskId === undefined ? sql`` : sql`and settlement.task_id = ${taskId}`}
    order by settlement.block_number desc, settlement.log_index desc limit 1`
  return rows[0] ?? null
}
