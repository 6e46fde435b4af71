import { type ActionRule, fromExpiry, requesterOnly } from './action-rule.ts'
import type { NoArgs } from './cancel.ts'

/**
 * The rule by which the requester takes back an expired task whose worker claimed it and did not deliver. The worker
 * loses the stake. See the interface specification, "Other rules".
 */
export const forfeitClaim: ActionRule<NoArgs> = {
  action: 'forfeit',
  modes: ['claim'],
  statuses: ['claimed'],
  moves: ['TaskReopened'],
  fee: null,
  eligible: requesterOnly,
  window: fromExpiry,
  offeredAs: ({ id }) => [{ command: `task forfeit ${id}` }],
}
