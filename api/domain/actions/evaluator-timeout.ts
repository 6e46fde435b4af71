import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type ActionRule, needsEvaluator, requesterOnly } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'
import { contestEvaluationEnd } from './evaluate.ts'

/** The requester takes a delivery back from a silent evaluator, who gets nothing. Interface, "Evaluator flow". */
export const evaluatorTimeoutOfDelivery: ActionRule<NoArgs> = {
  action: 'evaluator_timeout',
  modes: assignedModes,
  statuses: ['review'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: ({ evaluatorDeadline }) => ({ from: evaluatorDeadline, until: null }),
  blocked: needsEvaluator,
  offeredAs: ({ id }) => [{ command: `task evaluator-timeout ${id}` }],
}

/** The same of a contest, which stays open for its requester to accept. */
export const evaluatorTimeoutOfContest: ActionRule<NoArgs> = {
  ...evaluatorTimeoutOfDelivery,
  modes: contestModes,
  statuses: ['open'],
  window: (task) => ({ from: contestEvaluationEnd(task), until: null }),
}
