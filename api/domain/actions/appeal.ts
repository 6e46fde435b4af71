import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { refuse } from '../refusal.ts'
import { type ActionRule, assignedWorkerOnly } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule by which the assigned worker appeals a verdict to the resolver. See the interface specification, "Evaluator
 * flow".
 */
export const appealAssigned: ActionRule<NoArgs> = {
  action: 'appeal',
  modes: assignedModes,
  statuses: ['appealing'],
  moves: ['VerdictAppealed'],
  fee: ACTION_FEE,
  eligible: assignedWorkerOnly,
  window: ({ appealDeadline }) => ({ from: null, until: appealDeadline }),
  blocked: ({ disputeResolver }) =>
    disputeResolver === null
      ? refuse(409, 'no_resolver', 'The task has no dispute resolver: the verdict stands.')
      : null,
  offeredAs: ({ id }) => [{ command: `task appeal ${id}` }],
}

/**
 * The rule by which a worker with an active submission appeals the verdict of a contest. Awarded workers may appeal as
 * well. See the interface specification, section 11.
 */
export const appealInContest: ActionRule<NoArgs> = {
  ...appealAssigned,
  modes: contestModes,
  eligible: ({ soleActiveWorker }) => [{ role: 'worker', address: soleActiveWorker }],
  check: ({ entries }, { actor }) => {
    if (actor === null || (entries.get(actor)?.activeSubmissionCount ?? 0) > 0) return null
    return refuse(403, 'not_worker', `Only a worker with a submission that stands may appeal, not ${actor}.`)
  },
}
