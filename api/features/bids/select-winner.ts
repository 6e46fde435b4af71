import { z } from 'zod'
import { selectWinner as entry } from '../../../protocol/operations/select-winner.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { bytes32Text } from '../../http/request-schemas.ts'
import { addressOut, toAddress } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Selects the lowest bidder of an auction as the worker of its task.
 *
 * Example: `POST /api/tasks/0xb4f0../bids/select-winner` with `{"taskId": "0xb4f0.."}` answers `{"success": true,
 * "workerAddress": "0x2361.."}`.
 */
export const selectWinner = defineWrite(entry, {
  body: z.object({ taskId: bytes32Text.optional() }),
  response: z.object({ success: z.boolean(), workerAddress: addressOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: { reward: (task) => task.reward, requester: (task) => task.requester },
  preflight: (task, _input, { actor, now }) => admit('select_winner', task, { actor, now, args: {} }),
  result: (minedWrite) => {
    const { worker } = getMarketEvent(minedWrite, 'TaskWorkerSelected')
    return { body: { success: true, workerAddress: toAddress(worker) } }
  },
})
