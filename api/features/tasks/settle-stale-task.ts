import { z } from 'zod'
import { settleStaleTask as entry } from '../../../protocol/operations/settle-stale-task.ts'
import { admit } from '../../domain/actions/admit.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Settles a task whose requester has not answered a submission in time.
 *
 * Example: `POST /api/tasks/0x9f0d../settle-stale` answers `{"txHash": "0xc2a4.."}`.
 */
export const settleStaleTask = defineWrite(entry, {
  response: z.object({ txHash: hashOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: { reward: (task) => task.reward, requester: (task) => task.requester },
  preflight: (task, _input, { actor, now }) => admit('settle_stale', task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
