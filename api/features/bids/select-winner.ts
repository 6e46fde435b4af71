import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { addressOut, toAddress } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Spec, "Claim, pitches, bids, proofs": the lowest bidder gets the task. */
export const selectWinner = defineWrite({
  operation: 'bids.selectWinner',
  operationId: 'selectWinner',
  summary: 'Give an auction to its lowest bidder',
  description:
    'Free, open to anyone; english and reverse english auctions, from `bidDeadline` until the expiry. Of equal bids ' +
    'the earlier one wins. The rest of the escrow goes back to the requester at once. A signature of the requester may ' +
    'stand in the body; none is needed. Who sends the read-identity headers along may read the intent afterwards.',
  path: '/tasks/{taskId}/bids/select-winner',
  params: z.object({ taskId: bytes32 }),
  body: z.object({ taskId: bytes32.optional() }),
  response: z.object({ success: z.boolean(), workerAddress: addressOut }),
  legalExempt: true,
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['open'],
  charge: () => ({ amount: 0n, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admit('select_winner', task, { actor, now, args: {} }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'selectLowestBidder', [task.id]),
    content: {},
  }),
  result: (mined) => {
    const { worker } = getMarketEvent(mined, 'TaskWorkerSelected')
    return { body: { success: true, workerAddress: toAddress(worker) } }
  },
})
