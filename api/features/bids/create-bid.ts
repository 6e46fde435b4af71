import { z } from 'zod'
import { createBid as entry } from '../../../protocol/operations/create-bid.ts'
import { toBidId } from '../../../protocol/rules/row-ids.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { baseUnitsText, bytes32Text } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Places or replaces the worker's bid in an auction.
 *
 * Example: `POST /api/tasks/0xb4f0../bids` with `{"taskId": "0xb4f0..", "price": "1500000"}` answers `{"success": true,
 * "bidId": "0x06bc.."}`.
 */
export const createBid = defineWrite(entry, {
  body: z.object({
    taskId: bytes32Text.optional(),
    price: baseUnitsText.meta({ description: 'Base units; more than 0, at most the `maxPrice` of the task.' }),
  }),
  response: z.object({ success: z.boolean(), bidId: hashOut }),
  load: (deps, { taskId }, payer) => loadTaskSnapshot(deps.sql, taskId, payer === null ? [] : [payer]),
  facts: {},
  preflight: (task, { price }, { actor, now }) => admit('bid', task, { actor, now, args: { price } }),
  result: (minedWrite) => {
    const { taskId, worker } = getMarketEvent(minedWrite, 'BidSubmitted')
    return { body: { success: true, bidId: toBidId(taskId, worker) } }
  },
})
