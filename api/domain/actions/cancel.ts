import { taskModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, always, needsNoActiveSubmission, requesterOnly } from './action-rule.ts'

/** The arguments of an action that takes none. */
export type NoArgs = Record<never, never>

/**
 * The rule that returns the escrow to the requester, before or after the expiry, while no worker is assigned, has bid,
 * or waits for an answer.
 */
export const cancelOpen: ActionRule<NoArgs> = {
  action: 'cancel',
  modes: taskModes,
  statuses: ['open'],
  moves: ['TaskCancelled'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  blocked: (task) => needsNoActiveSubmission(task) ?? needsNoBid(task),
  offeredAs: ({ id }) => [{ command: `task cancel ${id}` }],
}

/** Refuses an auction with a bid. Spec, "Lifecycle writes". */
function needsNoBid({ bidCount }: TaskSnapshot): Refusal | null {
  if (bidCount === 0) return null
  return refuse(409, 'bids_exist', 'A worker has bid: the auction ends with its lowest bid, or by its expiry.')
}
