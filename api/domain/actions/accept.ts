import type { Address } from 'viem'
import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import {
  type ActionRule,
  always,
  needsActiveEntry,
  needsRequestersDecision,
  requesterOnly,
  workerPlaceholder,
} from './action-rule.ts'

export interface AcceptArgs {
  worker: Address
}

/**
 * The rule by which the requester pays the whole reward of a contest to one worker. The action remains possible after
 * the expiry while a submission is active.
 */
export const acceptInContest: ActionRule<AcceptArgs> = {
  action: 'accept',
  modes: contestModes,
  statuses: ['open'],
  moves: ['TaskCompleted'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  blocked: needsRequestersDecision,
  check: (task, { args: { worker } }) => needsActiveEntry(task, worker, 'worker'),
  offeredAs: (task) => [{ command: `task accept ${task.id} --worker ${workerPlaceholder(task)}` }],
}

/** The rule by which the requester accepts the assigned worker's delivery. The action has no deadline. */
export const acceptDelivery: ActionRule<AcceptArgs> = {
  ...acceptInContest,
  modes: assignedModes,
  statuses: ['pending_approval'],
}
