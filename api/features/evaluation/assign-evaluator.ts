import { z } from 'zod'
import { toEvaluatorTerms } from '../../../protocol/creation/evaluator-terms.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admitBy } from '../../domain/actions/admit.ts'
import { assignEvaluator as assignmentRule } from '../../domain/actions/assign-evaluator.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { address, basisPoints, hours } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { taskParams, txHashResponse } from './evaluation.schemas.ts'

/** Assigns an evaluator to an open task, on the same terms as at creation. Spec, "Lifecycle writes". */
export const assignEvaluator = defineWrite({
  operation: 'tasks.assignEvaluator',
  operationId: 'assignEvaluator',
  summary: 'Name who judges a task',
  description:
    'Paid, requester only; while the task is open, before the first submission, pitch, bid or claim, and once: no ' +
    'route reassigns or removes an evaluator. Evaluator, resolver and requester are three different wallets.',
  path: '/tasks/{taskId}/evaluator',
  params: taskParams,
  body: z.object({
    evaluator: address,
    evaluatorFeeBps: basisPoints
      .default(0)
      .meta({ description: 'Part of the reward or accepted price; with the platform fee at most 10000.' }),
    evaluationWindowHours: hours.optional().meta({ description: '24 unless given.' }),
    appealWindowHours: hours.optional().meta({ description: '24 unless given; at least 300 seconds.' }),
    disputeResolver: address.optional().meta({ description: 'Settles appeals; without one a verdict is final.' }),
  }),
  response: txHashResponse,
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, { body }, { actor, now }) => admitBy(assignmentRule, task, { actor, now, args: body }),
  prepare: async ({ deployment }, task, { body }) => ({
    ...encodeMarketCall(deployment.market, 'assignEvaluator', [task.id, toEvaluatorTerms(body)]),
    content: {},
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
