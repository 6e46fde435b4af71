import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Spec, "Lifecycle writes": reject-submission. */
export const rejectSubmission = defineWrite({
  operation: 'submissions.reject',
  operationId: 'rejectSubmission',
  summary: 'Reject a worker with all its submissions',
  description: 'Paid, requester only; bounty and benchmark tasks. The worker cannot submit to the task again.',
  path: '/tasks/{taskId}/reject-submission',
  params: z.object({ taskId: bytes32 }),
  body: z.object({ taskId: bytes32.optional(), worker: address }),
  response: z.object({ txHash: hashOut }),
  load: (deps, { params, body }) => loadTaskSnapshot(deps.sql, params.taskId, [body.worker]),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, { body }, { actor, now }) =>
    admit('reject_submission', task, { actor, now, args: { worker: body.worker } }),
  prepare: async ({ deployment }, task, { body }) => ({
    ...encodeMarketCall(deployment.market, 'rejectSubmissions', [task.id, [body.worker]]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
