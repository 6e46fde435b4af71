import { taskModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, always, needsNoActiveSubmission, requesterOnly } from './action-rule.ts'

/** The arguments of an action that takes no arguments. */
export type NoArgs = Record<never, never>

/**
 * The rule by which the requester cancels an open task and gets the escrow back, before or after the expiry. The task
 * must have no assigned worker, no bid and no active submission.
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

/** Refuses an auction that has a bid. See the specification, "Lifecycle writes". */
function needsNoBid({ bidCount }: TaskSnapshot): Refusal | null {
  if (bidCount === 0) return null
  return refuse(409, 'bids_exist', 'A worker has bid: the auction ends with its lowest bid, or by its expiry.')
}
