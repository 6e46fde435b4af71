import { contestModes } from '../../../src/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type ActionRule, always, needsNoActiveSubmission, requesterOnly } from './action-rule.ts'

/** The arguments of an action that takes none. */
export type NoArgs = Record<never, never>

/** The escrow back to the requester, before or after expiry, while nobody is assigned and no submission stands. */
export const cancelOpen: ActionRule<NoArgs> = {
  action: 'cancel',
  modes: [...contestModes, 'claim'],
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  blocked: needsNoActiveSubmission,
  offeredAs: ({ id }) => [{ command: `task cancel ${id}` }],
}
