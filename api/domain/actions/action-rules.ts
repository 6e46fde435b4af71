import type { TaskSnapshot } from '../task-snapshot.ts'
import { type AcceptArgs, acceptDelivery, acceptInContest } from './accept.ts'
import { type AcceptSubmissionsArgs, acceptSubmissionsInContest } from './accept-submissions.ts'
import { type ActionRule, isAbout } from './action-rule.ts'
import { appealAssigned, appealInContest } from './appeal.ts'
import { type AuctionAcceptArgs, acceptClockPrice } from './auction-accept.ts'
import { type BidArgs, bidInAuction } from './bid.ts'
import { cancelOpen, type NoArgs } from './cancel.ts'
import { type ClaimArgs, claimTask } from './claim.ts'
import { type EvaluateArgs, evaluateContest, evaluateDelivery } from './evaluate.ts'
import { evaluatorTimeoutOfContest, evaluatorTimeoutOfDelivery } from './evaluator-timeout.ts'
import { finalizeVerdict } from './finalize-verdict.ts'
import { forfeitClaim } from './forfeit.ts'
import { type PitchArgs, pitchForTask } from './pitch.ts'
import { type RateArgs, rateAward } from './rate.ts'
import { refundExpiredAssigned, refundExpiredContest } from './refund-expired.ts'
import { type RejectSubmissionArgs, rejectInContest } from './reject-submission.ts'
import { type ResolveDisputeArgs, resolveDispute } from './resolve-dispute.ts'
import { selectLowestBidder } from './select-winner.ts'
import { type SelectWorkerArgs, selectPitched } from './select-worker.ts'
import { settleStaleAssigned, settleStaleContest } from './settle-stale.ts'
import { deliverAssigned, type SubmitArgs, submitToContest } from './submit.ts'
import { type SubmitProofArgs, submitProofOfMetric } from './submit-proof.ts'
import { type UpdateArgs, updateOpen } from './update.ts'

/** The arguments of each action, as the action's rules read them. */
export interface ActionArgs {
  claim: ClaimArgs
  bid: BidArgs
  auction_accept: AuctionAcceptArgs
  select_winner: NoArgs
  pitch: PitchArgs
  select_worker: SelectWorkerArgs
  submit: SubmitArgs
  submit_proof: SubmitProofArgs
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
  settle_stale: NoArgs
  rate: RateArgs
}

/**
 * The rule table, in the order of the pending actions. If the conditions of an action are equal in several modes, the
 * action has one rule for these modes. If no rule of an action covers a mode, the action is not available in that mode.
 */
export const actionRules: { [Action in keyof ActionArgs]: readonly ActionRule<ActionArgs[Action]>[] } = {
  claim: [claimTask],
  bid: [bidInAuction],
  auction_accept: [acceptClockPrice],
  select_winner: [selectLowestBidder],
  pitch: [pitchForTask],
  select_worker: [selectPitched],
  submit: [submitToContest, deliverAssigned],
  submit_proof: [submitProofOfMetric],
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
  settle_stale: [settleStaleContest, settleStaleAssigned],
  rate: [rateAward],
}

const rulesByKind = new Map<string, readonly ActionRule<never>[]>()

/**
 * Returns the rules of all actions on tasks that have the given mode, auction type and status. The rules are in the
 * order of the table `actionRules`.
 */
export function listRules({
  mode,
  auctionType,
  status,
}: Pick<TaskSnapshot, 'mode' | 'auctionType' | 'status'>): readonly ActionRule<never>[] {
  const kind = `${mode} ${auctionType} ${status}`
  const knownRules = rulesByKind.get(kind)
  if (knownRules !== undefined) return knownRules
  const actions = Object.keys(actionRules) as (keyof ActionArgs)[]
  const rules = actions.flatMap((action) => {
    const rule: ActionRule<never> | undefined = findRule(action, { mode, auctionType })
    return rule?.statuses.includes(status) ? [rule] : []
  })
  rulesByKind.set(kind, rules)
  return rules
}

/**
 * Returns the rule of an action for tasks with a mode and an auction type. Returns undefined if such tasks do not have
 * the action.
 */
export function findRule<Action extends keyof ActionArgs>(
  action: Action,
  kind: Pick<TaskSnapshot, 'mode' | 'auctionType'>,
): ActionRule<ActionArgs[Action]> | undefined {
  return actionRules[action].find((rule) => isAbout(rule, kind))
}
