import { createHmac } from 'node:crypto'
import type { Hex } from 'viem'
import { z } from 'zod'
import { bytes32 } from '../../http/request-schemas.ts'
import { deriveKey } from '../../identity/derive-key.ts'
import { defineRoute } from '../define-route.ts'
import { getVisibleTask } from '../visible-task.ts'
import { toBids } from './bids.mapper.ts'
import { listBids } from './bids.queries.ts'
import { bidSchema } from './bids.schemas.ts'

/**
 * Lists the bids of a task. Sealed bids of other workers do not show the worker, the price or the time of the bid. See
 * the specification, "Claim, pitches, bids, proofs".
 *
 * Example: `GET /api/tasks/0xb4f0../bids` answers `[{"id": "0x06bc..", "taskId": "0xb4f0..", ..}]`.
 */
export const listTaskBids = defineRoute({
  operationId: 'listTaskBids',
  method: 'get',
  path: '/tasks/{taskId}/bids',
  tag: 'bids',
  summary: "List a task's bids",
  description:
    'One bid a worker, the last one; the winning one first. In a reverse english auction bids are sealed before ' +
    '`bidDeadline`, to every caller but their own bidder: no worker, price or time, in an order that tells nothing. Empty ' +
    'for what takes no bids. At most 500.',
  params: z.object({ taskId: bytes32 }),
  audience: 'viewers',
  responses: {
    200: { description: 'The bids.', schema: z.array(bidSchema) },
    404: { description: 'No such task, or none the caller may see.' },
  },
  handler: async (deps, { params }, context) => {
    const { task, caller } = await getVisibleTask(deps, context, params.taskId, 'bids')
    const rows = await listBids(deps.sql, task.id)
    const { timestamp: now } = await deps.chain.head()
    return toBids(rows, { caller, now, sealedIdOf: sealedBidIds(deps.config.URL_SIGNING_SECRET) })
  },
})

/**
 * Returns a function that converts the id of a sealed bid to a substitute id. Callers other than the bidder see only
 * the substitute. A bid always has the same substitute, and only the service can compute it.
 */
function sealedBidIds(secret: string): (bidId: Hex) => Hex {
  // The real id is a hash of task and worker. A caller who guesses the worker could compute it.
  const key = deriveKey(secret, 'sealed-bid-id')
  return (bidId) => `0x${createHmac('sha256', key).update(bidId).digest('hex')}`
}
