import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { awardsSchema, contractVerdicts, taskParams, txHashResponse } from './evaluation.schemas.ts'

/** Interface, "Evaluator flow". */
export const resolveDispute = defineWrite({
  operation: 'tasks.resolveDispute',
  operationId: 'resolveDispute',
  summary: 'Settle an appealed verdict',
  description:
    'Paid, dispute resolver only; within the time an appeal gives, which is the appeal window and at least 24 hours. ' +
    'The awards are paid at once, in the place of the evaluator’s; the rest goes back to the requester.',
  path: '/tasks/{taskId}/resolve-dispute',
  params: taskParams,
  body: z.object({
    taskId: bytes32.optional(),
    verdict: z.enum(['approve', 'partial']),
    awards: awardsSchema.min(1),
  }),
  response: txHashResponse,
  load: ({ sql }, { params, body: { awards } }) =>
    loadTaskSnapshot(
      sql,
      params.taskId,
      awards.map(({ worker }) => worker),
    ),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, { body }, { actor, now }) => admit('resolve_dispute', task, { actor, now, args: body }),
  prepare: async ({ deployment }, task, { body: { verdict, awards } }) => ({
    ...encodeMarketCall(deployment.market, 'resolveDispute', [task.id, contractVerdicts[verdict], awards]),
    content: {},
    awards: Math.max(awards.length, 1),
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
