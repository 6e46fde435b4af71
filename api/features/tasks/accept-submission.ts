import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { getLatestDeliverable } from '../../domain/deliverable.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Spec, "Lifecycle writes": accept. */
export const acceptSubmission = defineWrite({
  operation: 'tasks.accept',
  operationId: 'acceptSubmission',
  summary: 'Accept one worker, who gets the whole reward',
  description:
    'Paid, requester only. Pays the latest submission of the worker, which must stand. Possible after the expiry too.',
  path: '/tasks/{taskId}/accept',
  params: z.object({ taskId: bytes32 }),
  body: z.object({ taskId: bytes32.optional(), worker: address }),
  response: z.object({ success: z.boolean() }),
  load: (deps, { params, body }) => loadTaskSnapshot(deps.sql, params.taskId, [body.worker]),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, { body }, { actor, now }) => admit('accept', task, { actor, now, args: { worker: body.worker } }),
  prepare: async ({ deployment }, task, { body: { worker } }) => ({
    ...encodeMarketCall(deployment.market, 'acceptSubmission', [task.id, worker, getLatestDeliverable(task, worker)]),
    content: {},
  }),
  result: () => ({ body: { success: true } }),
})
