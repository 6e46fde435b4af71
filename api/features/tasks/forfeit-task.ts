import { z } from 'zod'
import { forfeitTask as entry } from '../../../protocol/operations/forfeit-task.ts'
import { admit } from '../../domain/actions/admit.ts'
import { addressText, bytes32Text, signatureText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Takes an expired task back from a worker who did not deliver.
 *
 * Example: `POST /api/tasks/0xd26b../forfeit` with `{"taskId": "0xd26b..", "requesterAddress": "0x976E..", "signature":
 * "0x06ed.."}` answers `{"success": true, "txHash": "0x5751.."}`.
 */
export const forfeitTask = defineWrite(entry, {
  body: z.object({
    taskId: bytes32Text.optional(),
    requesterAddress: addressText,
    signature: signatureText.meta({
      description:
        'EIP-191 by the requester over `service:forfeit:<taskId>`, the task id in lower case; ' +
        '`service:forfeit:<taskId>:<round>` when the task’s `claimRound` is not 0.',
    }),
  }),
  response: z.object({ success: z.boolean(), txHash: hashOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: { claimRound: (task) => task.claimRound },
  preflight: (task, _input, { actor, now }) => admit('forfeit', task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { success: true, txHash } }),
})
