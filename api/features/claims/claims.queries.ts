import type { Address, Hex } from 'viem'
import type { ClaimStatus } from '../../../protocol/rules/claim-status.ts'
import type { Queryable } from '../../db/client.ts'

/**
 * A worker's claim of a task, as the indexer stores it. The stake is in base units of USDC, the time in Unix seconds.
 */
export interface ClaimRow {
  id: Hex
  taskId: Hex
  worker: Address
  stakeAmount: bigint
  status: ClaimStatus
  claimedAt: bigint
  transactionHash: Hex
}

/** Returns the claim of a task's newest round, or null if no worker ever claimed the task. */
export async function findNewestClaim(sql: Queryable, taskId: Hex): Promise<ClaimRow | null> {
  const rows = await sql<ClaimRow[]>`
    select id, task_id, worker, stake_amount, status, claimed_at, transaction_hash
    from claim
    where task_id = ${taskId}
    order by round desc
    limit 1`
  return rows[0] ?? null
}
