import { z } from 'zod'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import { createPitch as entry } from '../../../protocol/operations/create-pitch.ts'
import { toPitchId } from '../../../protocol/rules/row-ids.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { addressText, bytes32Text, hoursNumber, unverifiedSignature, visibleText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

const MAX_PITCH_LENGTH = 10_000

const bodySchema = z.object({
  taskId: bytes32Text.optional(),
  workerAddress: addressText.meta({ description: 'Must be the payer.' }),
  pitchText: visibleText(1, MAX_PITCH_LENGTH),
  estimatedDuration: hoursNumber.optional().meta({ description: 'Hours.' }),
  signature: unverifiedSignature,
})

/**
 * Submits a worker's pitch for a task.
 *
 * Example: `POST /api/tasks/0xb482../pitches` with `{"taskId": "0xb482..", "workerAddress": "0x14dC..", "pitchText":
 * "An ear of wheat..", "estimatedDuration": 6, ..}` answers `{"success": true, "pitchId": "0x1a12.."}`.
 */
export const createPitch = defineWrite(entry, {
  body: bodySchema,
  response: z.object({ success: z.boolean(), pitchId: hashOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: {},
  preflight: (task, { workerAddress }, { actor, now }) =>
    admit('pitch', task, { actor, now, args: { worker: workerAddress } }),
  content: async (_deps, _task, { taskId, workerAddress: worker, pitchText, estimatedDuration = null }) => {
    const { hash: pitchHash } = commitToText({ taskId, worker, text: pitchText })
    const pitchId = toPitchId(taskId, { worker, pitchHash })
    return { content: { pitch: { pitchId, taskId, worker, pitchText, estimatedDuration } } }
  },
  result: (minedWrite) => {
    const { taskId, worker, pitchHash } = getMarketEvent(minedWrite, 'PitchSubmitted')
    return { body: { success: true, pitchId: toPitchId(taskId, { worker, pitchHash }) } }
  },
})
