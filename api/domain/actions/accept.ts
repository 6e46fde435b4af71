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

/** The whole reward to one worker. Stays possible after expiry while submissions stand. */
export const acceptInContest: ActionRule<AcceptArgs> = {
  action: 'accept',
  modes: contestModes,
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  blocked: needsRequestersDecision,
  check: (task, { args: { worker } }) => needsActiveEntry(task, worker, 'worker'),
  offeredAs: (task) => [{ command: `task accept ${task.id} --worker ${workerPlaceholder(task)}` }],
}

/** The delivery of the worker the task is assigned to, at any time, also after expiry. */
export const acceptDelivery: ActionRule<AcceptArgs> = {
  ...acceptInContest,
  modes: assignedModes,
  statuses: ['pending_approval'],
}
