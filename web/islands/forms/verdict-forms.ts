import { MAX_SCORE } from '../../../client/src/index.ts'
import { mostAwarded, stakeRows, verdictRows } from '../../act/payout-rows.ts'
import type { ActionForm } from './action-form.ts'
import type { ActionContext, Field, Share, Values } from './fields.ts'
import { isContest, paidBy, payable } from './payable.ts'

/** The form for the verdict of an evaluator. */
export const evaluateForm: ActionForm = {
  write: 'evaluateTask',
  act: 'Give the verdict',
  done: 'Your verdict is given.',
  needs: 'submissions',
  fields: (context) => [
    {
      kind: 'choice',
      name: 'verdict',
      label: 'Verdict',
      options: [
        ['approve', 'Approve', 'The worker is paid.'],
        // A contest takes entries until it ends, so a verdict before can only award everything.
        ...(takesEntries(context)
          ? []
          : [
              ['partial', 'In part', 'As below; the rest goes back to the requester.'] as const,
              ['reject', 'Reject', 'The requester gets the reward back.'] as const,
            ]),
      ],
    },
    ...awardFields(context),
    { kind: 'number', name: 'score', label: `Score, 0 to ${MAX_SCORE}`, least: 0, most: MAX_SCORE, value: MAX_SCORE },
    {
      kind: 'number',
      name: 'confidence',
      label: `Confidence, 0 to ${MAX_SCORE}`,
      least: 0,
      most: MAX_SCORE,
      value: MAX_SCORE,
    },
  ],
  input: (values, context) => verdictInput(values, context, isContest(context)),
  effects: verdictEffects,
}

/** The form for the decision of a dispute resolver. */
export const resolveForm: ActionForm = {
  write: 'resolveDispute',
  act: 'Settle the dispute',
  done: 'The dispute is settled.',
  needs: 'submissions',
  fields: (context) => [
    {
      kind: 'choice',
      name: 'verdict',
      label: 'Decision',
      options: [
        ['approve', 'Approve', 'The whole reward is paid.'],
        ['partial', 'In part', 'The rest goes back to the requester.'],
      ],
    },
    ...awardFields(context),
  ],
  input: (values, context) => verdictInput(values, context, true),
  effects: (values, context) => [...verdictEffects(values, context), ...stakeRows(context.task, true)],
}

type Verdict = Parameters<typeof verdictRows>[1]

function verdictEffects(values: Values, context: ActionContext) {
  return verdictRows(context.task, values.verdict as Verdict, paidBy(sharesOf(values, context)))
}

const awardsOf = (shares: unknown) =>
  ((shares ?? []) as Share[])
    .filter(({ part }) => part > 0n)
    .map(({ worker, part }, index) => ({ worker, amount: part.toString(), rank: index + 1 }))

const awardFields = (context: ActionContext): Field[] => [
  {
    kind: 'shares',
    name: 'shares',
    label: 'Who receives what',
    hint: 'Before the platform fee. The rest goes back to the requester.',
    workers: payable(context),
    unit: 'usdc',
    total: mostAwarded(context.task),
    isOptional: true,
  },
]

const takesEntries = (context: ActionContext) => isContest(context) && Date.parse(context.task.expiryTime) > Date.now()

/**
 * Returns the amount that a decision awards to each worker. If an approval states no amounts, and only one worker can
 * be paid, this worker receives the highest amount that the task can award.
 */
function sharesOf({ verdict, shares }: Values, context: ActionContext): Share[] {
  const namedShares = ((shares ?? []) as Share[]).filter(({ part }) => part > 0n)
  const [worker, ...others] = payable(context)
  const isWhole = verdict === 'approve' && namedShares.length === 0 && worker !== undefined && others.length === 0
  return isWhole ? [{ worker, part: mostAwarded(context.task) }] : namedShares
}

/**
 * Returns the arguments of a verdict.
 * @param needsAwards true if the verdict `approve` requires awards; the verdict `partial` always requires them
 * @throws Error if a required award is missing
 */
function verdictInput(values: Values, context: ActionContext, needsAwards: boolean): Record<string, unknown> {
  const { verdict, score, confidence } = values
  const shares = verdict === 'reject' ? [] : sharesOf(values, context)
  if (verdict !== 'reject' && shares.length === 0 && (needsAwards || verdict === 'partial')) {
    throw new Error('Say who receives what.')
  }
  const sum = shares.reduce((all, { part }) => all + part, 0n)
  if (takesEntries(context) && sum !== mostAwarded(context.task)) {
    throw new Error('Until this task ends, all of the reward must be shared out.')
  }
  return {
    verdict,
    ...(score !== undefined && { score }),
    ...(confidence !== undefined && { confidence }),
    ...(shares.length > 0 && { awards: awardsOf(shares) }),
  }
}
