import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type ActionRule, needsEvaluator, requesterOnly } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'
import { contestEvaluationEnd } from './evaluate.ts'

/**
 * The rule by which the requester removes an evaluator who gave no verdict on a delivery in time. The evaluator gets no
 * fee. After the removal, the requester decides over the delivery. See the interface specification, "Evaluator flow".
 */
export const evaluatorTimeoutOfDelivery: ActionRule<NoArgs> = {
  action: 'evaluator_timeout',
  modes: assignedModes,
  statuses: ['review'],
  moves: ['EvaluatorTimedOut'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: ({ evaluatorDeadline }) => ({ from: evaluatorDeadline, until: null }),
  blocked: needsEvaluator,
  offeredAs: ({ id }) => [{ command: `task evaluator-timeout ${id}` }],
}

/**
 * The rule by which the requester removes an evaluator who gave no verdict on a contest in time. After the removal, the
 * requester can accept submissions, because the contest remains open.
 */
export const evaluatorTimeoutOfContest: ActionRule<NoArgs> = {
  ...evaluatorTimeoutOfDelivery,
  modes: contestModes,
  statuses: ['open'],
  window: (task) => ({ from: contestEvaluationEnd(task), until: null }),
}
