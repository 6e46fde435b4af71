import { partOf } from '../../../protocol/rules/amounts.ts'
import { assignedModes, contestModes, isContest } from '../../../protocol/rules/selectors.ts'
import { type Verdict, verdicts } from '../../../protocol/rules/verdict.ts'
import { ACTION_FEE, MAX_SCORE } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRequest, type ActionRule, type Eligible, needsEvaluator } from './action-rule.ts'
import { type AwardArgs, awardPlaceholder, refuseAwards } from './verdict-awards.ts'

/** A verdict that an evaluator requests. Score and confidence are 0 to 1000. */
export interface EvaluateArgs {
  verdict: Verdict
  score: number
  confidence: number
  awards: readonly AwardArgs[]
}

/**
 * The rule by which the evaluator gives a verdict on the assigned worker's delivery, within the evaluation window. The
 * evaluator's fee is paid with the verdict. See the interface specification, "Evaluator flow".
 */
export const evaluateDelivery: ActionRule<EvaluateArgs> = {
  action: 'evaluate',
  modes: assignedModes,
  statuses: ['review'],
  moves: ['VerdictIssued'],
  fee: ACTION_FEE,
  eligible: evaluatorOnly,
  window: ({ evaluatorDeadline }) => ({ from: null, until: evaluatorDeadline }),
  blocked: needsEvaluator,
  check: (task, { args }) =>
    refuseScore('score', args.score) ??
    refuseScore('confidence', args.confidence) ??
    refuseCount(task, args) ??
    refuseAwards(task, args.awards, { available: availableToAward(task) }),
  offeredAs: (task) => [
    { command: `task evaluate ${task.id} --verdict <${verdicts.join('|')}> --award ${awardPlaceholder(task)}` },
  ],
}

/**
 * The rule by which the evaluator gives a verdict on an open contest with an active submission. Before the expiry, only
 * an approval is allowed, and its awards must sum to the whole payable amount. From the expiry to the end of the
 * evaluation window, every verdict is allowed. See the interface specification, section 11.
 */
export const evaluateContest: ActionRule<EvaluateArgs> = {
  ...evaluateDelivery,
  modes: contestModes,
  statuses: ['open'],
  window: (task) => ({ from: null, until: contestEvaluationEnd(task) }),
  blocked: (task) => needsEvaluator(task) ?? needsEntries(task),
  check: (task, request) => evaluateDelivery.check?.(task, request) ?? refuseEarlyEnd(task, request),
  offeredAs: (task, now) => {
    const verdictPlaceholder = now < task.expiryTime ? 'approve' : `<${verdicts.join('|')}>`
    return [{ command: `task evaluate ${task.id} --verdict ${verdictPlaceholder} --award ${awardPlaceholder(task)}` }]
  },
}

/** Returns the end of a contest's evaluation window in Unix seconds; null if the contest has no evaluator. */
export function contestEvaluationEnd({
  expiryTime,
  evaluationWindow,
}: Pick<TaskSnapshot, 'expiryTime' | 'evaluationWindow'>): bigint | null {
  return evaluationWindow === null ? null : expiryTime + evaluationWindow
}

/** Returns the amount that a verdict may award, in USDC base units: the escrow minus the evaluator's fee. */
function availableToAward({ escrow, evaluatorFeeBps }: TaskSnapshot): bigint {
  return escrow - partOf(escrow, evaluatorFeeBps ?? 0)
}

function evaluatorOnly({ evaluator }: TaskSnapshot): readonly Eligible[] {
  return evaluator === null ? [] : [{ role: 'evaluator', address: evaluator }]
}

function needsEntries({ activeSubmissionCount }: TaskSnapshot): Refusal | null {
  if (activeSubmissionCount > 0) return null
  return refuse(409, 'no_active_submission', 'The task has no submission that could be judged.')
}

function refuseEarlyEnd(
  task: TaskSnapshot,
  { now, args: { verdict, awards } }: ActionRequest<EvaluateArgs>,
): Refusal | null {
  const availableAmount = availableToAward(task)
  const sum = awards.reduce((total, { amount }) => total + amount, 0n)
  if (now >= task.expiryTime || (verdict === 'approve' && sum === availableAmount)) return null
  const rule = `Until its expiry (${task.expiryTime}, Unix seconds) the contest takes entries: only an approval whose awards sum to all of ${availableAmount} base units is taken.`
  return refuse(409, 'contest_still_open', rule, { field: verdict === 'approve' ? 'awards' : 'verdict' })
}

function refuseScore(field: 'score' | 'confidence', score: number): Refusal | null {
  if (score >= 0 && score <= MAX_SCORE) return null
  return refuse(400, 'invalid_score', `The ${field} must be 0 to ${MAX_SCORE}.`, { field })
}

/**
 * Refuses a number of awards that does not fit the verdict. An approval without awards pays the assigned worker. A
 * contest has no assigned worker, so it needs awards.
 */
function refuseCount({ mode }: TaskSnapshot, { verdict, awards }: EvaluateArgs): Refusal | null {
  if (verdict === 'reject') {
    return awards.length === 0
      ? null
      : refuse(400, 'awards_not_allowed', 'A rejection awards no worker.', { field: 'awards' })
  }
  if (awards.length > 0 || (verdict === 'approve' && !isContest(mode))) return null
  const what = verdict === 'partial' ? 'A partial verdict' : 'The approval of a contest'
  return refuse(400, 'no_winners', `${what} names at least one award.`, { field: 'awards' })
}
