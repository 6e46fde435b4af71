import { z } from 'zod'
import { rejectSubmission as entry } from '../../../protocol/operations/reject-submission.ts'
import { admit } from '../../domain/actions/admit.ts'
import { addressText, bytes32Text } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Rejects a worker of a task, with all of the worker's submissions to the task.
 *
 * Example: `POST /api/tasks/0x2dca../reject-submission` with `{"taskId": "0x2dca..", "worker": "0x2361.."}` answers
 * `{"txHash": "0x445a.."}`.
 */
export const rejectSubmission = defineWrite(entry, {
  body: z.object({ taskId: bytes32Text.optional(), worker: addressText }),
  response: z.object({ txHash: hashOut }),
  load: (deps, { taskId, worker }) => loadTaskSnapshot(deps.sql, taskId, [worker]),
  facts: {},
  preflight: (task, { worker }, { actor, now }) => admit('reject_submission', task, { actor, now, args: { worker } }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
