import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { taskBody, taskParams, txHashResponse } from './evaluation.schemas.ts'

/** Interface, "Evaluator flow". */
export const timeOutEvaluator = defineWrite({
  operation: 'tasks.evaluatorTimeout',
  operationId: 'timeOutEvaluator',
  summary: 'Take a task back after its evaluator missed the deadline',
  description:
    'Paid, requester only; from the evaluatorDeadline on without a verdict. The evaluator gets nothing. A delivery ' +
    'waits for approval then; a contest stays open. In both the requester accepts.',
  path: '/tasks/{taskId}/evaluator-timeout',
  params: taskParams,
  body: taskBody,
  response: txHashResponse,
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admit('evaluator_timeout', task, { actor, now, args: {} }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'evaluatorTimeout', [task.id]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
