import type { TaskMode } from '../../../src/rules/selectors.ts'
import { type AcceptArgs, acceptDelivery, acceptInContest } from './accept.ts'
import { type AcceptSubmissionsArgs, acceptSubmissionsInContest } from './accept-submissions.ts'
import type { ActionRule } from './action-rule.ts'
import { appealAssigned, appealInContest } from './appeal.ts'
import { cancelOpen, type NoArgs } from './cancel.ts'
import { type ClaimArgs, claimTask } from './claim.ts'
import { type EvaluateArgs, evaluateContest, evaluateDelivery } from './evaluate.ts'
import { evaluatorTimeoutOfContest, evaluatorTimeoutOfDelivery } from './evaluator-timeout.ts'
import { finalizeVerdict } from './finalize-verdict.ts'
import { forfeitClaim } from './forfeit.ts'
import { type RateArgs, rateAward } from './rate.ts'
import { refundExpiredAssigned, refundExpiredContest } from './refund-expired.ts'
import { type RejectSubmissionArgs, rejectInContest } from './reject-submission.ts'
import { type ResolveDisputeArgs, resolveDispute } from './resolve-dispute.ts'
import { deliverAssigned, type SubmitArgs, submitToContest } from './submit.ts'
import { type UpdateArgs, updateOpen } from './update.ts'

/** The arguments each action's rules look at. */
export interface ActionArgs {
  claim: ClaimArgs
  submit: SubmitArgs
  accept: AcceptArgs
  accept_submissions: AcceptSubmissionsArgs
  reject_submission: RejectSubmissionArgs
  update: UpdateArgs
  cancel: NoArgs
  forfeit: NoArgs
  evaluate: EvaluateArgs
  appeal: NoArgs
  resolve_dispute: ResolveDisputeArgs
  finalize_verdict: NoArgs
  evaluator_timeout: NoArgs
  refund_expired: NoArgs
  rate: RateArgs
}

/**
 * The rule table: of each action one row for every group of modes it works differently in. A mode in no row does not
 * have the action. The order is that of pending actions.
 */
export const actionRules: { [Action in keyof ActionArgs]: readonly ActionRule<ActionArgs[Action]>[] } = {
  claim: [claimTask],
  submit: [submitToContest, deliverAssigned],
  accept: [acceptInContest, acceptDelivery],
  accept_submissions: [acceptSubmissionsInContest],
  reject_submission: [rejectInContest],
  update: [updateOpen],
  cancel: [cancelOpen],
  forfeit: [forfeitClaim],
  evaluate: [evaluateContest, evaluateDelivery],
  appeal: [appealInContest, appealAssigned],
  resolve_dispute: [resolveDispute],
  finalize_verdict: [finalizeVerdict],
  evaluator_timeout: [evaluatorTimeoutOfContest, evaluatorTimeoutOfDelivery],
  refund_expired: [refundExpiredContest, refundExpiredAssigned],
  rate: [rateAward],
}

/** The row of an action in a mode; undefined when the mode does not have it. */
export function findRule<Action extends keyof ActionArgs>(
  action: Action,
  mode: TaskMode | 'unknown',
): ActionRule<ActionArgs[Action]> | undefined {
  return actionRules[action].find(({ modes }) => modes.some((candidate) => candidate === mode))
}
