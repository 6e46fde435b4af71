import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { leastPriceOf } from '../../domain/actions/auction-accept.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { baseUnits, bytes32 } from '../../http/request-schemas.ts'
import { addressOut, amountOut, toAddress, toAmount } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Spec, "Claim, pitches, bids, proofs": the clock price. */
export const acceptAuction = defineWrite({
  operation: 'bids.accept',
  operationId: 'acceptAuction',
  summary: 'Take a task at its clock price',
  description:
    'Paid, and the payer is the worker; dutch and reverse dutch auctions. The price is that of the block it lands in, ' +
    'and the rest of the escrow goes back to the requester at once. Lands at `minPrice` or more, or not at all.',
  path: '/tasks/{taskId}/bids/accept',
  params: z.object({ taskId: bytes32 }),
  body: z.object({
    taskId: bytes32.optional(),
    minPrice: baseUnits.optional().meta({
      description:
        'The least the worker takes the task for, base units: refused when the clock price is below it. Without it, ' +
        'the lowest price that the clock, as it stands, can come to while the payment is valid: `currentAuctionPrice` ' +
        'in a reverse dutch auction, what it will be 600 seconds from now in a dutch one.',
    }),
  }),
  response: z.object({ success: z.boolean(), acceptedPrice: amountOut, workerAddress: addressOut }),
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, { body }, { actor, now }) =>
    admit('auction_accept', task, { actor, now, args: { minPrice: body.minPrice } }),
  prepare: async ({ chain, deployment }, task, { body }, _worker, payment) => {
    const { timestamp: now } = await chain.latestHead()
    const least = body.minPrice ?? leastPriceOf(task, { now, end: payment?.validBefore ?? now })
    return { ...encodeMarketCall(deployment.market, 'acceptAuction', [task.id, least]), content: {} }
  },
  result: (mined) => {
    const { worker, price } = getMarketEvent(mined, 'TaskWorkerSelected')
    return { body: { success: true, acceptedPrice: toAmount(price), workerAddress: toAddress(worker) } }
  },
})
