import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { ClaimRow } from './claims.queries.ts'
import type { Claim } from './claims.schemas.ts'

/** A claim as it goes out. */
export function toClaim(row: ClaimRow): Claim {
  return {
    id: row.id,
    taskId: row.taskId,
    workerAddress: toAddress(row.worker),
    stakeAmount: toAmount(row.stakeAmount),
    stakeTxHash: row.stakeAmount > 0n ? row.transactionHash : null,
    claimedAt: toTimestamp(row.claimedAt),
    status: row.status,
  }
}
