import { z } from 'zod'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import { toPitchId } from '../../../protocol/rules/row-ids.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { address, bytes32, hours, unverifiedSignature, visibleText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

const MAX_PITCH_LENGTH = 10_000

const bodySchema = z.object({
  taskId: bytes32.optional(),
  workerAddress: address.meta({ description: 'Must be the payer.' }),
  pitchText: visibleText(1, MAX_PITCH_LENGTH),
  estimatedDuration: hours.optional().meta({ description: 'Hours.' }),
  signature: unverifiedSignature,
})

/** Spec, "Claim, pitches, bids, proofs". */
export const createPitch = defineWrite({
  operation: 'pitches.create',
  operationId: 'createPitch',
  summary: 'Pitch for a task',
  description:
    'Paid by the worker, until the pitch deadline. Anchors keccak256 of abi.encode(taskId, workerAddress, pitchText); ' +
    'the same text again is the same pitch.',
  path: '/tasks/{taskId}/pitches',
  params: z.object({ taskId: bytes32 }),
  body: bodySchema,
  response: z.object({ success: z.boolean(), pitchId: hashOut }),
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, { body }, { actor, now }) =>
    admit('pitch', task, { actor, now, args: { worker: body.workerAddress } }),
  prepare: async ({ deployment }, { id: taskId }, { body }, worker) => {
    const { pitchText, estimatedDuration = null } = body
    const { hash: pitchHash } = commitToText({ taskId, worker, text: pitchText })
    const pitchId = toPitchId(taskId, { worker, pitchHash })
    return {
      ...encodeMarketCall(deployment.market, 'submitPitch', [taskId, pitchHash]),
      content: { pitch: { pitchId, taskId, worker, pitchText, estimatedDuration } },
    }
  },
  result: (mined) => {
    const { taskId, worker, pitchHash } = getMarketEvent(mined, 'PitchSubmitted')
    return { body: { success: true, pitchId: toPitchId(taskId, { worker, pitchHash }) } }
  },
})
