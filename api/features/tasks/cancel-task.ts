import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Spec, "Lifecycle writes": cancel. */
export const cancelTask = defineWrite({
  operation: 'tasks.cancel',
  operationId: 'cancelTask',
  summary: 'Cancel an open task',
  description: 'Paid, requester only. Not while a submission stands. The escrow goes back to the requester.',
  path: '/tasks/{taskId}/cancel',
  params: z.object({ taskId: bytes32 }),
  body: z.object({}),
  bodyless: true,
  response: z.object({ txHash: hashOut }),
  legalExempt: true,
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admit('cancel', task, { actor, now, args: {} }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'cancelTask', [task.id]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
