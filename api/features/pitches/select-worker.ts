import { z } from 'zod'
import { selectWorker as entry } from '../../../protocol/operations/select-worker.ts'
import { taskText } from '../../../protocol/signed/task-texts.ts'
import { admit } from '../../domain/actions/admit.ts'
import { addressText, bytes32Text, signatureText } from '../../http/request-schemas.ts'
import { findPitchFacts, loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

const bodySchema = z.object({
  taskId: bytes32Text.optional(),
  pitchId: bytes32Text,
  workerAddress: addressText.meta({ description: 'Whose pitch it is.' }),
  signature: signatureText.optional().meta({
    description:
      'EIP-191 by the requester over `service:select-worker:<taskId>:<pitchId>:<workerAddress>`, all in lower case. ' +
      'May be left out: the payer must be the requester. Checked when it is there.',
  }),
})

/**
 * Selects the author of a pitch as the task's worker.
 *
 * Example: `POST /api/tasks/0xb482../pitches/select` with `{"taskId": "0xb482..", "pitchId": "0x1a12..",
 * "workerAddress": "0x14dC..", "signature": "0xf086.."}` answers `{"success": true}`.
 */
export const selectWorker = defineWrite(entry, {
  body: bodySchema,
  response: z.object({ success: z.boolean() }),
  load: async ({ sql }, { taskId, pitchId, workerAddress }) => {
    const [task, pitch] = await Promise.all([
      loadTaskSnapshot(sql, taskId, [workerAddress]),
      findPitchFacts(sql, pitchId),
    ])
    return task && { task, pitch }
  },
  facts: { reward: ({ task }) => task.reward },
  preflight: ({ task, pitch }, { workerAddress }, { actor, now }) =>
    admit('select_worker', task, { actor, now, args: { worker: workerAddress, pitch } }),
  signed: ({ task }, { pitchId, workerAddress, signature }) =>
    signature === undefined
      ? null
      : {
          actor: task.requester,
          signature,
          text: taskText('select-worker', task.id),
          suffixes: [`:${pitchId}:${workerAddress}`],
        },
  result: () => ({ body: { success: true } }),
})
