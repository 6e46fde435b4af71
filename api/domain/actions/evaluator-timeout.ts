import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type ActionRule, needsEvaluator, requesterOnly } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'
import { contestEvaluationEnd } from './evaluate.ts'

/**
 * The rule by which the requester takes a delivery back from an evaluator without a verdict, who gets nothing.
 * Interface, "Evaluator flow".
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

/** The rule for the timeout of a contest's evaluator; the contest stays open for its requester to accept. */
export const evaluatorTimeoutOfContest: ActionRule<NoArgs> = {
  ...evaluatorTimeoutOfDelivery,
  modes: contestModes,
  statuses: ['open'],
  window: (task) => ({ from: contestEvaluationEnd(task), until: null }),
}
