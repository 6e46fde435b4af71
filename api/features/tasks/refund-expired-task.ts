import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Spec, "Lifecycle writes": refund-expired. */
export const refundExpiredTask = defineWrite({
  operation: 'tasks.refundExpired',
  operationId: 'refundExpiredTask',
  summary: 'Refund an expired task to its requester',
  description: 'Paid, open to anyone. From the expiry on, while no submission stands.',
  path: '/tasks/{taskId}/refund-expired',
  params: z.object({ taskId: bytes32 }),
  body: z.object({}),
  bodyless: true,
  response: z.object({ txHash: hashOut }),
  legalExempt: true,
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admit('refund_expired', task, { actor, now, args: {} }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'refundExpired', [task.id]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
