import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { MAX_WINNERS } from '../../domain/limits.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { taskBody, taskParams, txHashResponse } from './evaluation.schemas.ts'

/** Interface, "Evaluator flow". Spec, "Authentication": permissionless. */
export const finalizeVerdict = defineWrite({
  operation: 'tasks.finalizeVerdict',
  operationId: 'finalizeVerdict',
  summary: 'Let a verdict take effect',
  description:
    'Free and open to anyone: from the appealDeadline on when no worker appealed, and from the end of the resolver’s ' +
    'time without a resolution. Approve and partial pay the awards, reject gives everything back. The intent has an ' +
    'initiator only if the read-auth headers are sent.',
  path: '/tasks/{taskId}/finalize-verdict',
  params: taskParams,
  body: taskBody,
  response: txHashResponse,
  legalExempt: true,
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['open'],
  charge: () => ({ amount: 0n, escrow: 0n }),
  preflight: (task, _input, { actor, now }) => admit('finalize_verdict', task, { actor, now, args: {} }),
  prepare: async ({ deployment }, task) => ({
    ...encodeMarketCall(deployment.market, 'finalizeVerdict', [task.id]),
    content: {},
    awards: MAX_WINNERS,
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
