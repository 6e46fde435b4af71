import { taskModes } from '../../../protocol/rules/selectors.ts'
import type { ActionRule } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule by which any account makes a verdict take effect. If nobody appealed, the action is possible after the
 * appeal window. If the resolver did not decide the appeal, the action is possible after the resolution deadline. See
 * the interface specification, "Evaluator flow".
 */
export const finalizeVerdict: ActionRule<NoArgs> = {
  action: 'finalize_verdict',
  modes: taskModes,
  statuses: ['appealing', 'disputed'],
  moves: ['TaskCompleted', 'TaskCancelled'],
  fee: null,
  eligible: () => [{ role: 'anyone', address: null }],
  window: ({ status, appealDeadline, resolutionDeadline }) => ({
    from: status === 'disputed' ? resolutionDeadline : appealDeadline,
    until: null,
  }),
  offeredAs: ({ id }) => [{ command: `task finalize-verdict ${id}` }],
}
