import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Interface, "Other rules": a task that stayed without an answer. */
export const settleStaleTask = defineWrite({
  operation: 'tasks.settleStale',
  operationId: 'settleStaleTask',
  summary: 'Settle a task that stayed without an answer',
  description:
    'Free and open to anyone, from 90 days after the last deadline on: the expiry, or in an open contest with an ' +
    'evaluator the end of the evaluation window after it. Pays the worker of a delivery that the requester never ' +
    'refused, and refunds the requester in every other case. The intent has an initiator only if the read-auth ' +
    'headers are sent.',
  path: '/tasks/{taskId}/settle-stale',
  params: z.object({ taskId: bytes32 }),
  body: z.object({}),
  bodyless: true,
  response: z.object({ txHash: hashOut }),
  legalExempt: true,
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['open'],
  charge: () => ({ amount: 0n, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admit('settle_stale', task, { actor, now, args: {} }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'settleStale', [task.id]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
