import { type Resolution, resolutions } from '../../../protocol/operations/verdict-awards.ts'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { refuse } from '../refusal.ts'
import type { ActionRule } from './action-rule.ts'
import { type AwardArgs, awardPlaceholder, refuseAwards } from './verdict-awards.ts'

export interface ResolveDisputeArgs {
  verdict: Resolution
  awards: readonly AwardArgs[]
}

/**
 * The rule by which the resolver decides an appeal. The decision replaces the verdict and ends the task. The resolver
 * may award the whole remaining escrow, because the evaluator's fee is already paid.
 */
export const resolveDispute: ActionRule<ResolveDisputeArgs> = {
  action: 'resolve_dispute',
  modes: taskModes,
  statuses: ['disputed'],
  moves: ['TaskCompleted', 'TaskCancelled'],
  fee: ACTION_FEE,
  eligible: ({ disputeResolver }) =>
    disputeResolver === null ? [] : [{ role: 'dispute_resolver', address: disputeResolver }],
  window: ({ resolutionDeadline }) => ({ from: null, until: resolutionDeadline }),
  check: (task, { args: { awards } }) =>
    awards.length === 0
      ? refuse(400, 'no_winners', 'Name at least one award.', { field: 'awards' })
      : refuseAwards(task, awards, { available: task.escrow }),
  offeredAs: (task) => [
    {
      command: `task resolve-dispute ${task.id} --verdict <${resolutions.join('|')}> --award ${awardPlaceholder(task)}`,
    },
  ],
}
