import { z } from 'zod'
import { assignEvaluator as entry } from '../../../protocol/operations/assign-evaluator.ts'
import { admitBy } from '../../domain/actions/admit.ts'
import { assignEvaluator as assignmentRule } from '../../domain/actions/assign-evaluator.ts'
import { addressText, basisPoints, hoursNumber } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { txHashResponse } from './evaluation.schemas.ts'

/**
 * Assigns an evaluator to a task, with the evaluator's terms.
 *
 * Example: `POST /api/tasks/0x9f0d../evaluator` with `{"evaluator": "0xBcd4..", "evaluatorFeeBps": 500,
 * "evaluationWindowHours": 24, "appealWindowHours": 24, ..}` answers `{"txHash": "0x01aa.."}`.
 */
export const assignEvaluator = defineWrite(entry, {
  body: z.object({
    evaluator: addressText,
    evaluatorFeeBps: basisPoints.optional().meta({
      default: 0,
      description: 'Part of the reward or accepted price; with the platform fee at most 10000.',
    }),
    evaluationWindowHours: hoursNumber.optional().meta({ description: '24 unless given.' }),
    appealWindowHours: hoursNumber.optional().meta({ description: '24 unless given; at least 300 seconds.' }),
    disputeResolver: addressText.optional().meta({ description: 'Settles appeals; without one a verdict is final.' }),
  }),
  response: txHashResponse,
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: { reward: (task) => task.reward },
  preflight: (task, input, { actor, now }) => admitBy(assignmentRule, task, { actor, now, args: input }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
