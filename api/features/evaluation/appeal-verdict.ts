import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { taskBody, taskParams, txHashResponse } from './evaluation.schemas.ts'

/** Interface, "Evaluator flow". A worker need not accept new policies to appeal. */
export const appealVerdict = defineWrite({
  operation: 'tasks.appeal',
  operationId: 'appealVerdict',
  summary: 'Bring a verdict before the dispute resolver',
  description:
    'Paid; before the appealDeadline, where the task has a disputeResolver. By the assigned worker; in contests by ' +
    'any worker whom the verdict awards, or by any whose submissions stand when it awards none.',
  path: '/tasks/{taskId}/appeal',
  params: taskParams,
  body: taskBody,
  response: txHashResponse,
  legalExempt: true,
  load: (deps, { params }, payer) => loadTaskSnapshot(deps.sql, params.taskId, payer === null ? [] : [payer]),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admit('appeal', task, { actor, now, args: {} }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'appeal', [task.id]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
