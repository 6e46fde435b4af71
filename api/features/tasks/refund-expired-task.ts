import { z } from 'zod'
import { refundExpiredTask as entry } from '../../../protocol/operations/refund-expired-task.ts'
import { admit } from '../../domain/actions/admit.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Refunds an expired task to its requester.
 *
 * Example: `POST /api/tasks/0x9f0d../refund-expired` answers `{"txHash": "0x7d35.."}`.
 */
export const refundExpiredTask = defineWrite(entry, {
  response: z.object({ txHash: hashOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: {},
  preflight: (task, _input, { actor, now }) => admit('refund_expired', task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
