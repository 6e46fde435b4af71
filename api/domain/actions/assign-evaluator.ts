import type { EvaluationRequest } from '../../../protocol/creation/evaluator-terms.ts'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { refuseEvaluation } from '../creation/evaluation.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type AdmissionRule, always, requesterOnly } from './action-rule.ts'

/**
 * The rule by which the requester adds an evaluator to an open task, once and before the first entry of any kind. The
 * action is not listed as a pending action, because no account waits for it. See the specification, "Lifecycle writes";
 * the interface specification, "Evaluator flow".
 */
export const assignEvaluator: AdmissionRule<EvaluationRequest> = {
  action: 'evaluator_assignment',
  modes: taskModes,
  statuses: ['open'],
  eligible: requesterOnly,
  window: always,
  blocked: (task) => needsNoEvaluator(task) ?? needsNoEntry(task),
  check: ({ requester, platformFeeBps }, { args }) => refuseEvaluation(args, { requester, platformFeeBps }),
}

function needsNoEvaluator({ evaluator }: TaskSnapshot): Refusal | null {
  if (evaluator === null) return null
  return refuse(409, 'evaluator_assigned', `The task has an evaluator already, ${evaluator}.`)
}

/** Refuses a task that ever had a submission, a pitch, a bid or a forfeited claim. */
function needsNoEntry({ submissionCount, pitchCount, bidCount, claimRound }: TaskSnapshot): Refusal | null {
  if ([submissionCount, pitchCount, bidCount, claimRound].every((count) => count === 0)) return null
  return refuse(409, 'terms_locked', 'A worker has entered the task: no evaluator can be added any more.')
}
