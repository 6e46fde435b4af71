import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { taskText } from '../../domain/action-request.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { address, bytes32, walletSignature } from '../../http/request-schemas.ts'
import { findPitchFacts, loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

const bodySchema = z.object({
  taskId: bytes32.optional(),
  pitchId: bytes32,
  workerAddress: address.meta({ description: 'Whose pitch it is.' }),
  signature: walletSignature.optional().meta({
    description:
      'EIP-191 by the requester over `service:select-worker:<taskId>:<pitchId>:<workerAddress>`, all in lower case. ' +
      'May be left out: the payer must be the requester. Checked when it is there.',
  }),
})

/** Spec, "Claim, pitches, bids, proofs"; Interface, "Other rules" (paid, and the signature). */
export const selectWorker = defineWrite({
  operation: 'pitches.select',
  operationId: 'selectWorker',
  summary: 'Select the worker of a pitch',
  description: 'Paid, requester only, before and after the pitch deadline, until the task expires.',
  path: '/tasks/{taskId}/pitches/select',
  params: z.object({ taskId: bytes32 }),
  body: bodySchema,
  response: z.object({ success: z.boolean() }),
  load: async ({ sql }, { params, body }) => {
    const [task, pitch] = await Promise.all([
      loadTaskSnapshot(sql, params.taskId, [body.workerAddress]),
      findPitchFacts(sql, body.pitchId),
    ])
    return task && { task, pitch }
  },
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: ({ task, pitch }, { body }, { actor, now }) =>
    admit('select_worker', task, { actor, now, args: { worker: body.workerAddress, pitch } }),
  signed: ({ body: { pitchId, workerAddress, signature } }, { task }) =>
    signature === undefined
      ? null
      : {
          actor: task.requester,
          signature,
          text: taskText('select-worker', task.id),
          suffixes: [`:${pitchId}:${workerAddress}`],
        },
  prepare: async ({ deployment }, { task }, { body }) => ({
    ...encodeMarketCall(deployment.market, 'selectWorker', [task.id, body.workerAddress]),
    content: {},
  }),
  result: () => ({ body: { success: true } }),
})
