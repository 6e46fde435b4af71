import { taskModes } from '../../../protocol/rules/selectors.ts'
import type { ActionRule } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule by which any account makes a verdict take effect. This is possible after an appeal window without an appeal,
 * or after a resolution deadline that passed without a resolution. See the interface specification, "Evaluator flow".
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
