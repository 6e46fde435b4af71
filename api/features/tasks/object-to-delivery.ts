import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admitBy } from '../../domain/actions/admit.ts'
import { objectToDelivery as objectionRule } from '../../domain/actions/object.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Interface, "Other rules" (delivered and never answered). */
export const objectToDelivery = defineWrite({
  operation: 'tasks.object',
  operationId: 'objectToDelivery',
  summary: 'Refuse a delivery on record',
  description:
    'Paid, requester only; once, while the delivery of a claim, pitch or auction task waits for approval. Without it ' +
    'any account may have the worker paid 90 days after the last deadline.',
  path: '/tasks/{taskId}/object',
  params: z.object({ taskId: bytes32 }),
  body: z.object({}),
  bodyless: true,
  response: z.object({ txHash: hashOut }),
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admitBy(objectionRule, task, { actor, now, args: {} }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'objectToDelivery', [task.id]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
