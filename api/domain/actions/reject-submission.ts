import type { Address } from 'viem'
import { contestModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import {
  type ActionRule,
  always,
  needsActiveEntry,
  needsRequestersDecision,
  requesterOnly,
  workerPlaceholder,
} from './action-rule.ts'

export interface RejectSubmissionArgs {
  worker: Address
}

/**
 * The rule by which the requester rejects all submissions of one worker. The worker can then not submit again. The
 * action remains possible after the expiry.
 */
export const rejectInContest: ActionRule<RejectSubmissionArgs> = {
  action: 'reject_submission',
  modes: contestModes,
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  blocked: needsRequestersDecision,
  check: (task, { args: { worker } }) => needsActiveEntry(task, worker, 'worker'),
  offeredAs: (task) => [{ command: `task reject-submission ${task.id} --worker ${workerPlaceholder(task)}` }],
}
