import { z } from 'zod'
import { toBidId } from '../../../protocol/rules/row-ids.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { baseUnits, bytes32 } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Spec, "Claim, pitches, bids, proofs": a bid. */
export const createBid = defineWrite({
  operation: 'bids.create',
  operationId: 'createBid',
  summary: 'Bid in an auction',
  description:
    'Paid, and the payer is the bidder. English: below the lowest bid. Reverse english: below the worker’s own last ' +
    'bid; bids are sealed until `bidDeadline`. A worker’s later bid replaces the earlier one, under the same id.',
  path: '/tasks/{taskId}/bids',
  params: z.object({ taskId: bytes32 }),
  body: z.object({
    taskId: bytes32.optional(),
    price: baseUnits.meta({ description: 'Base units; more than 0, at most the `maxPrice` of the task.' }),
  }),
  response: z.object({ success: z.boolean(), bidId: hashOut }),
  load: (deps, { params }, payer) => loadTaskSnapshot(deps.sql, params.taskId, payer === null ? [] : [payer]),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, { body }, { actor, now }) => admit('bid', task, { actor, now, args: { price: body.price } }),
  prepare: async ({ deployment }, task, { body }) => ({
    ...encodeMarketCall(deployment.market, 'submitBid', [task.id, body.price]),
    content: {},
  }),
  result: (mined) => {
    const { taskId, worker } = getMarketEvent(mined, 'BidSubmitted')
    return { body: { success: true, bidId: toBidId(taskId, worker) } }
  },
})
