import { type ActionRule, fromExpiry, requesterOnly } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * Takes an expired task back from a worker who did not deliver; the worker's stake is lost. Interface, "Other rules".
 */
export const forfeitClaim: ActionRule<NoArgs> = {
  action: 'forfeit',
  modes: ['claim'],
  statuses: ['claimed'],
  fee: null,
  eligible: requesterOnly,
  window: fromExpiry,
  offeredAs: ({ id }) => [{ command: `task forfeit ${id}` }],
}
