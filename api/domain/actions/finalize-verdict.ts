import { taskModes } from '../../../protocol/rules/selectors.ts'
import type { ActionRule } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The evaluator's verdict takes effect on any account's request: when no worker appealed in time, and when the resolver
 * stayed silent. Interface, "Evaluator flow".
 */
export const finalizeVerdict: ActionRule<NoArgs> = {
  action: 'finalize_verdict',
  modes: taskModes,
  statuses: ['appealing', 'disputed'],
  fee: null,
  eligible: () => [{ role: 'anyone', address: null }],
  window: ({ status, appealDeadline, resolutionDeadline }) => ({
    from: status === 'disputed' ? resolutionDeadline : appealDeadline,
    until: null,
  }),
  offeredAs: ({ id }) => [{ command: `task finalize-verdict ${id}` }],
}
