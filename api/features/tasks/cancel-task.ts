import { z } from 'zod'
import { cancelTask as entry } from '../../../protocol/operations/cancel-task.ts'
import { admit } from '../../domain/actions/admit.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Cancels an open task and returns its escrow.
 *
 * Example: `POST /api/tasks/0x9f0d../cancel` answers `{"txHash": "0x5c4e.."}`.
 */
export const cancelTask = defineWrite(entry, {
  response: z.object({ txHash: hashOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: {},
  preflight: (task, _input, { actor, now }) => admit('cancel', task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
