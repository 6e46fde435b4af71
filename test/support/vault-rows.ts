import type { Address, Hex } from 'viem'
import type { Database } from '../../api/db/client.ts'
import { proveLeaves } from '../../api/domain/sponsored/claim-proofs.ts'
import { aHash, START } from './builders.ts'

const position = () => ({
  blockNumber: 1n,
  blockTimestamp: START,
  transactionHash: aHash(),
  transactionIndex: 0,
  logIndex: 0,
})

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
export async function insertSettledVault(
  sql: Database,
  { vaultId, vault, hook, taskId, worker, amount }: SettledVault,
): Promise<void> {
  const owner: Address = `0x${'50'.repeat(20)}`
  const [token, salt] = [`0x${'b1'.repeat(20)}`, aHash()]
  const totals = { available: 0, reserved: 0, owed: String(amount), fees: 0, feeCredit: 0 }
  const sums = { fundedTotal: String(amount), withdrawnTotal: 0, claimedTotal: 0, collectedTotal: 0 }
  const names = { tokenName: 'Gold', tokenSymbol: 'GLD', tokenDecimals: 18 }
  const created = { vaultId, vault, hook, owner, token, salt, epoch: 0, exitAt: null, exitedAt: null, eventCount: 0 }
  const row = { ...created, ...names, ...totals, ...sums, ...position() }
  await sql`insert into sponsored_vault ${sql(row)}`
  await sql`insert into vault_address ${sql({ vault, vaultId })}`
  const id = `${vaultId}:${taskId}`
  const key = { id, vaultId, taskId, epoch: 0 }
  const charge = {
    ...key,
    hook,
    isOwnHook: true,
    manager: owner,
    state: 'settled',
    gross: String(amount),
    net: String(amount),
    fee: 0,
    base: 1,
    credited: String(amount),
    creditedFee: 0,
    released: 0,
    paid: 0,
    endedAt: START,
    ...position(),
  }
  await sql`insert into vault_charge ${sql(charge)}`
  const { root } = proveLeaves({ vaultId, epoch: 0, taskId }, [{ index: 0, worker, amount }])
  await sql`insert into vault_settlement ${sql({ ...key, root, total: String(amount), ...position() })}`
  const leaf = { ...key, id: `${id}:0`, index: 0, worker, amount: String(amount), paidAt: null, ...position() }
  await sql`insert into vault_leaf ${sql(leaf)}`
}
