import { z } from 'zod'
import { leastPriceOf } from '../../../protocol/clock-price.ts'
import { acceptAuction as entry } from '../../../protocol/operations/accept-auction.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { baseUnitsText, bytes32Text } from '../../http/request-schemas.ts'
import { addressOut, amountOut, toAddress, toAmount } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Accepts a task at the present clock price of its dutch or reverse dutch auction.
 *
 * Example: `POST /api/tasks/0xefb5../bids/accept` with `{"taskId": "0xefb5..", "minPrice": "500000"}` answers
 * `{"success": true, "acceptedPrice": "500000", "workerAddress": "0x2361.."}`.
 */
export const acceptAuction = defineWrite(entry, {
  body: z.object({
    taskId: bytes32Text.optional(),
    minPrice: baseUnitsText.optional().meta({
      description:
        'The least the worker takes the task for, base units: refused when the clock price is below it. Without it, ' +
        'the lowest price that the clock, as it stands, can come to while the payment is valid: `currentAuctionPrice` ' +
        'in a reverse dutch auction, what it will be 600 seconds from now in a dutch one.',
    }),
  }),
  response: z.object({ success: z.boolean(), acceptedPrice: amountOut, workerAddress: addressOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: {},
  preflight: (task, { minPrice }, { actor, now }) => admit('auction_accept', task, { actor, now, args: { minPrice } }),
  content: async ({ chain }, task, input, { payment }) => {
    const { timestamp: now } = await chain.latestHead()
    const minPrice = input.minPrice ?? leastPriceOf(task, { now, end: payment?.validBefore ?? now }) ?? 0n
    return { input: { ...input, minPrice }, content: {} }
  },
  result: (minedWrite) => {
    const { worker, price } = getMarketEvent(minedWrite, 'TaskWorkerSelected')
    return { body: { success: true, acceptedPrice: toAmount(price), workerAddress: toAddress(worker) } }
  },
})
