import { z } from 'zod'
import { acceptSubmission as entry } from '../../../protocol/operations/accept-submission.ts'
import { admit } from '../../domain/actions/admit.ts'
import { getLatestDeliverable } from '../../domain/deliverable.ts'
import { addressText, bytes32Text } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Accepts the work of one worker, who gets the whole reward.
 *
 * Example: `POST /api/tasks/0x9f0d../accept` with `{"taskId": "0x9f0d..", "worker": "0x14dC.."}` answers `{"success":
 * true}`.
 */
export const acceptSubmission = defineWrite(entry, {
  body: z.object({ taskId: bytes32Text.optional(), worker: addressText }),
  response: z.object({ success: z.boolean() }),
  load: (deps, { taskId, worker }) => loadTaskSnapshot(deps.sql, taskId, [worker]),
  facts: {
    reward: (task) => task.reward,
    deliverables: (task, { worker }) => [getLatestDeliverable(task, worker)],
  },
  preflight: (task, { worker }, { actor, now }) => admit('accept', task, { actor, now, args: { worker } }),
  result: () => ({ body: { success: true } }),
})
