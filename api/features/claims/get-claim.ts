import { z } from 'zod'
import { bytes32 } from '../../http/request-schemas.ts'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getVisibleTask } from '../visible-task.ts'
import { type ClaimRow, findNewestClaim } from './claims.queries.ts'
import { type Claim, claimSchema } from './claims.schemas.ts'

/**
 * Returns the claim of a task's newest round, or null if the task was never claimed. See the specification, "Claim,
 * pitches, bids, proofs".
 *
 * Example: `GET /api/tasks/0x068b../claim` answers `{"id": "0x0647..", "taskId": "0x068b..", "workerAddress":
 * "0x14dC..", "stakeAmount": "0", ..}`.
 */
export const getClaim = defineRoute({
  operationId: 'getClaim',
  method: 'get',
  path: '/tasks/{taskId}/claim',
  tag: 'claims',
  summary: "Get a task's claim",
  description: 'The claim of the newest round, in any state. Null for a task that was never claimed.',
  params: z.object({ taskId: bytes32 }),
  audience: 'viewers',
  responses: {
    200: { description: 'The claim, or null.', schema: claimSchema.nullable() },
    404: { description: 'No such task, or none the caller may see.' },
  },
  handler: async (deps, { params }, context) => {
    const { task } = await getVisibleTask(deps, context, params.taskId, 'claim')
    const claim = await findNewestClaim(deps.sql, task.id)
    return claim && toClaim(claim)
  },
})

/** Returns a claim in its public form. */
function toClaim(row: ClaimRow): Claim {
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
