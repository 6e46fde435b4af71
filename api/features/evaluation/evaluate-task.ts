import { zeroHash } from 'viem'
import { z } from 'zod'
import { verdicts } from '../../../protocol/rules/verdict.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE, MAX_SCORE } from '../../domain/limits.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { awardsSchema, contractVerdicts, taskParams, txHashResponse } from './evaluation.schemas.ts'

const scoreSchema = z.int().min(0).max(MAX_SCORE).default(MAX_SCORE)

/** Interface, "Evaluator flow". */
export const evaluateTask = defineWrite({
  operation: 'tasks.evaluate',
  operationId: 'evaluateTask',
  summary: 'Judge the work of a task',
  description:
    'Paid, evaluator only: a delivery before the evaluatorDeadline, a contest while a submission stands, until its ' +
    'expiry and the evaluation window after it. The evaluator’s fee is paid with the verdict, whatever it says; the ' +
    'awards once no worker can appeal any more.',
  path: '/tasks/{taskId}/evaluate',
  params: taskParams,
  body: z.object({
    taskId: bytes32.optional(),
    verdict: z.enum(verdicts),
    score: scoreSchema,
    confidence: scoreSchema,
    evidenceHash: bytes32.default(zeroHash),
    awards: awardsSchema.default([]).meta({
      description:
        'Gross amounts that sum to at most the reward or accepted price less the evaluator’s fee; the rest goes back ' +
        'to the requester. Recipients are the assigned worker, in contests workers whose submissions stand. A partial ' +
        'verdict has at least one, a rejection none; an approval without awards pays everything to the assigned ' +
        'worker, and is refused in contests.',
    }),
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
  preflight: (task, { body }, { actor, now }) => admit('evaluate', task, { actor, now, args: body }),
  prepare: async ({ deployment }, task, { body: { verdict, score, confidence, evidenceHash, awards } }) => ({
    ...encodeMarketCall(deployment.market, 'evaluate', [
      ...([task.id, contractVerdicts[verdict], score, confidence, evidenceHash, awards] as const),
    ]),
    content: {},
    awards: Math.max(awards.length, 1),
  }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
