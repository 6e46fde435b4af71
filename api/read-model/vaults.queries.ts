import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { CurationStatus } from './vault-curation.queries.ts'

/** The facts of a vault that are needed to claim its rewards. */
export interface VaultFacts {
  vault: Address
  owner: Address
  epoch: number
  isExited: boolean
  curationStatus: CurationStatus
}

/** Returns a vault's facts, or null if the vault does not exist. */
export async function findVaultFacts(sql: Queryable, vaultId: Hex): Promise<VaultFacts | null> {
  const rows = await sql<VaultFacts[]>`
    select vault, owner, epoch, exited_at is not null as is_exited,
      coalesce(curation.status, 'unverified') as curation_status
    from sponsored_vault left join service.vault_curation curation using (vault_id)
    where vault_id = ${vaultId}`
  return rows[0] ?? null
}

/**
 * The state of a charge, such as `reserved` or `credited`, and the vault's epoch when the charge was made. A charge is
 * the amount that a vault reserves for a task's token reward.
 */
export interface ChargeFacts {
  state: string
  epoch: number
}

/**
 * Returns the charge that the vault's own hook made for a task. Returns null if the vault's own hook made no charge.
 * Charges by other hooks are ignored, because another hook may choose any id and amount.
 */
export async function findChargeFacts(
  sql: Queryable,
  { vaultId, taskId }: { vaultId: Hex; taskId: Hex },
): Promise<ChargeFacts | null> {
  const rows = await sql<ChargeFacts[]>`
    select state, epoch from vault_charge where id = ${`${vaultId}:${taskId}`} and is_own_hook`
  return rows[0] ?? null
}

/** A settlement in a vault with all leaves of its Merkle tree: the amounts of all workers. */
export interface SettlementRow {
  taskId: Hex
  epoch: number
  root: Hex
  leaves: { index: number; worker: Address; amount: bigint }[]
}

/**
 * Lists the settlements of one epoch of a vault, sorted by task id. Only settlements in which the worker has an unpaid
 * leaf are listed.
 * @param page `taskId`: only the settlement of this task; `after`: only settlements after this task id
 */
export async function listOpenSettlements(
  sql: Queryable,
  { vaultId, epoch, worker }: { vaultId: Hex; epoch: number; worker: Address },
  { taskId, after, limit }: { taskId?: Hex | undefined; after?: Hex | undefined; limit: number },
): Promise<SettlementRow[]> {
  const rows = await sql<(Omit<SettlementRow, 'leaves'> & Record<'indexes' | 'workers' | 'amounts', string[]>)[]>`
    with own as (
      select distinct task_id from vault_leaf
      where worker = ${worker} and vault_id = ${vaultId} and epoch = ${epoch} and paid_at is null
        and task_id > ${after ?? ''} and (${taskId ?? null}::text is null or task_id = ${taskId ?? null})
      order by task_id limit ${limit}
    )
    select task_id, settlement.epoch, settlement.root,
      array_agg(leaf.index::text order by leaf.index) as indexes,
      array_agg(leaf.worker order by leaf.index) as workers,
      array_agg(leaf.amount::text order by leaf.index) as amounts
    from own
      join vault_settlement settlement using (task_id)
      join vault_leaf leaf using (vault_id, task_id)
    where settlement.vault_id = ${vaultId}
    group by task_id, settlement.epoch, settlement.root
    order by task_id`
  return rows.map(({ indexes, workers, amounts, ...settlement }) => ({
    taskId: settlement.taskId,
    epoch: settlement.epoch,
    root: settlement.root,
    leaves: indexes.map((index, position) => ({
      index: Number(index),
      worker: workers[position] as Address,
      amount: BigInt(amounts[position] ?? 0),
    })),
  }))
}

/** Returns the hash of the indexed transaction that paid a worker's claim, or undefined if none is indexed. */
export async function findIndexedClaim(
  sql: Queryable,
  vault: Address,
  {
    worker,
    taskId,
    index,
    nonce,
    destination,
    amount,
  }: {
    worker: Address
    taskId: Hex
    index: bigint
    nonce: bigint
    destination: Address
    amount: bigint
  },
): Promise<Hex | undefined> {
  const rows = await sql<{ transactionHash: Hex }[]>`
    select claim.transaction_hash from vault_claim claim join vault_address using (vault_id)
    where vault_address.vault = ${vault} and claim.worker = ${worker} and claim.nonce = ${nonce.toString()}
      and claim.task_id = ${taskId} and claim.index = ${Number(index)}
      and claim.destination = ${destination} and claim.amount = ${amount.toString()}`
  return rows[0]?.transactionHash
}
