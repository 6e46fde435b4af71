import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { taskText } from '../../domain/action-request.ts'
import { admit } from '../../domain/actions/admit.ts'
import { signatureSuffixOf } from '../../domain/claim-round.ts'
import { address, bytes32, walletSignature } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Spec, "Lifecycle writes"; Interface, "Other rules" (forfeit). */
export const forfeitTask = defineWrite({
  operation: 'tasks.forfeit',
  operationId: 'forfeitTask',
  summary: 'Take an expired task back from a worker who did not deliver',
  description:
    'Free on the signature of the requester; claim mode, from the expiry on. The task is open again with its expiry ' +
    'unchanged, and a stake goes to the fee recipient. After a forfeit that reverted on chain, the same signature needs the ' +
    'read-identity headers of the requester beside it.',
  path: '/tasks/{taskId}/forfeit',
  params: z.object({ taskId: bytes32 }),
  body: z.object({
    taskId: bytes32.optional(),
    requesterAddress: address,
    signature: walletSignature.meta({
      description:
        'EIP-191 by the requester over `service:forfeit:<taskId>`, the task id in lower case; ' +
        '`service:forfeit:<taskId>:<round>` when the task’s `claimRound` is not 0.',
    }),
  }),
  response: z.object({ success: z.boolean(), txHash: hashOut }),
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['signed'],
  charge: () => ({ amount: 0n, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admit('forfeit', task, { actor, now, args: {} }),
  signed: ({ params, body }, task) => ({
    actor: body.requesterAddress,
    signature: body.signature,
    text: taskText('forfeit', params.taskId),
    suffixes: [signatureSuffixOf(task)],
    agreesTo: { verb: 'forfeit', taskId: params.taskId },
  }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'forfeitAndReopen', [task.id]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { success: true, txHash } }),
})
