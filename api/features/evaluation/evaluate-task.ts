import { z } from 'zod'
import { evaluateTask as entry } from '../../../protocol/operations/evaluate-task.ts'
import { verdicts } from '../../../protocol/rules/verdict.ts'
import { admit } from '../../domain/actions/admit.ts'
import { MAX_SCORE } from '../../domain/limits.ts'
import { bytes32Text } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { awardsSchema, txHashResponse } from './evaluation.schemas.ts'

const scoreSchema = z.int().min(0).max(MAX_SCORE).optional().meta({ default: MAX_SCORE })

/**
 * Records the evaluator's verdict on the work of a task.
 *
 * Example: `POST /api/tasks/0x7c70../evaluate` with `{"taskId": "0x7c70..", "verdict": "partial", "score": 620,
 * "confidence": 800, ..}` answers `{"txHash": "0x54e7.."}`.
 */
export const evaluateTask = defineWrite(entry, {
  body: z.object({
    taskId: bytes32Text.optional(),
    verdict: z.enum(verdicts),
    score: scoreSchema,
    confidence: scoreSchema,
    evidenceHash: bytes32Text.optional(),
    awards: awardsSchema.optional().meta({
      description:
        'Gross amounts that sum to at most the reward or accepted price less the evaluator’s fee; the rest goes back ' +
        'to the requester. Recipients are the assigned worker, in contests workers whose submissions stand. A partial ' +
        'verdict has at least one, a rejection none; an approval without awards pays everything to the assigned ' +
        'worker, and is refused in contests.',
    }),
  }),
  response: txHashResponse,
  load: ({ sql }, { taskId, awards }) =>
    loadTaskSnapshot(
      sql,
      taskId,
      awards.map(({ worker }) => worker),
    ),
  facts: { reward: (task) => task.reward },
  preflight: (task, input, { actor, now }) => admit('evaluate', task, { actor, now, args: input }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
