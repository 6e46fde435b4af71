import type { Address, Hex } from 'viem'
import type { Database } from '../../api/db/client.ts'
import { growClaimTree } from '../../api/domain/sponsored/claim-proofs.ts'
import { aHash, START } from './rows/insert-row.ts'

const position = () => ({
  blockNumber: 1n,
  blockTimestamp: START,
  transactionHash: aHash(),
  transactionIndex: 0,
  logIndex: 0,
})

/** Fields of a vault of a test; amounts as decimal strings. */
export interface VaultFields {
  vaultId: Hex
  vault?: Address
  hook?: Address
  token?: Address
  epoch?: number
  exitedAt?: bigint | null
  names?: { tokenName: string | null; tokenSymbol: string | null; tokenDecimals: number | null }
  totals?: { available: string; reserved: string; owed: string; fees: string; fundedTotal: string }
}

const anOwner: Address = `0x${'50'.repeat(20)}`
const aToken: Address = `0x${'b1'.repeat(20)}`
const gold = { tokenName: 'Gold', tokenSymbol: 'GLD', tokenDecimals: 18 }
const empty = { available: '0', reserved: '0', owed: '0', fees: '0', fundedTotal: '0' }

/** The rows of a vault, as its events leave them. */
export async function insertVault(
  sql: Database,
  { vaultId, vault, hook, token = aToken, epoch = 0, exitedAt = null, names = gold, totals = empty }: VaultFields,
): Promise<void> {
  const address = vault ?? (`0x${vaultId.slice(-40)}` as const)
  const row = {
    vaultId,
    vault: address,
    hook: hook ?? `0x${'40'.repeat(20)}`,
    owner: anOwner,
    token,
    salt: aHash(),
    epoch,
    exitAt: exitedAt,
    exitedAt,
    eventCount: 0,
    feeCredit: 0,
    withdrawnTotal: 0,
    claimedTotal: 0,
    collectedTotal: 0,
    ...names,
    ...totals,
    ...position(),
  }
  await sql`insert into sponsored_vault ${sql(row)}`
  await sql`insert into vault_address ${sql({ vault: address, vaultId })}`
}

/** Fields of a charge of a test; amounts as decimal strings. */
export interface ChargeFields {
  vaultId: Hex
  taskId: Hex
  state?: string
  epoch?: number
  hook?: Address
  isOwnHook?: boolean
  gross?: string
  fee?: string
  credited?: string
  paid?: string
}

/** The row of a charge. */
export async function insertCharge(sql: Database, charge: ChargeFields): Promise<void> {
  const { vaultId, taskId, state = 'reserved', epoch = 0, hook = `0x${'40'.repeat(20)}`, isOwnHook = true } = charge
  const { gross = '0', fee = '0', credited = '0', paid = '0' } = charge
  const row = {
    id: `${vaultId}:${taskId}`,
    vaultId,
    taskId,
    epoch,
    hook,
    isOwnHook,
    manager: anOwner,
    state,
    gross,
    net: String(BigInt(gross) - BigInt(fee)),
    fee,
    base: 1,
    credited,
    creditedFee: 0,
    released: 0,
    paid,
    endedAt: state === 'reserved' ? null : START,
    ...position(),
  }
  await sql`insert into vault_charge ${sql(row)}`
}

/** A settlement whose only leaf is the whole credit. */
export async function insertSettlement(
  sql: Database,
  { vaultId, taskId, worker, amount, epoch = 0 }: Omit<SettledVault, 'vault' | 'hook'> & { epoch?: number },
): Promise<Hex> {
  const { root } = growClaimTree({ vaultId, epoch, taskId }, [{ index: 0, worker, amount }])
  const key = { id: `${vaultId}:${taskId}`, vaultId, taskId, epoch }
  await sql`insert into vault_settlement ${sql({ ...key, root, total: String(amount), ...position() })}`
  const leaf = { ...key, id: `${key.id}:0`, index: 0, worker, amount: String(amount), paidAt: null, ...position() }
  await sql`insert into vault_leaf ${sql(leaf)}`
  return root
}

/** A vault in its first epoch with a task that is settled in the favour of one worker. */
export interface SettledVault {
  vaultId: Hex
  vault: Address
  /** The vault's own. */
  hook: Address
  taskId: Hex
  worker: Address
  /** What the worker can claim, base units of the vault's token. */
  amount: bigint
}

/** The rows of such a vault, as its events leave them. */
export async function insertSettledVault(sql: Database, settled: SettledVault): Promise<void> {
  const { vaultId, vault, hook, taskId, amount } = settled
  const owed = String(amount)
  await insertVault(sql, { vaultId, vault, hook, totals: { ...empty, owed, fundedTotal: owed } })
  await insertCharge(sql, { vaultId, taskId, hook, state: 'settled', gross: owed, credited: owed })
  await insertSettlement(sql, settled)
}
