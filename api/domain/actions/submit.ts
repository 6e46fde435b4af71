import type { Address } from 'viem'
import { assignedModes, contestModes } from '../../../protocol/rules/selectors.ts'
import { refuse } from '../refusal.ts'
import {
  type ActionRule,
  assignedWorkerOnly,
  mayEnter,
  needsNotRejected,
  needsWorkerAsPayer,
  untilExpiry,
} from './action-rule.ts'

export interface SubmitArgs {
  worker: Address
}

/**
 * The rule by which a worker submits to a contest, any number of times. A worker whose submissions were rejected cannot
 * submit. The number of free submissions is checked in api/domain/submission-allowance.ts.
 */
export const submitToContest: ActionRule<SubmitArgs> = {
  action: 'submit',
  modes: contestModes,
  statuses: ['open'],
  moves: ['TaskSubmitted'],
  fee: null,
  eligible: () => [{ role: 'worker', address: null }],
  window: untilExpiry,
  check: (task, { actor, args: { worker } }) =>
    mayEnter(task, worker) ?? needsNotRejected(task, worker) ?? needsWorkerAsPayer(actor, worker),
  offeredAs: ({ id }) => [{ command: `task submit ${id} --file <path>` }],
}

/** The rule by which the assigned worker delivers. The assigned worker can deliver only once. */
export const deliverAssigned: ActionRule<SubmitArgs> = {
  action: 'submit',
  modes: assignedModes,
  statuses: ['claimed', 'worker_selected'],
  moves: ['TaskSubmitted'],
  fee: null,
  eligible: assignedWorkerOnly,
  window: untilExpiry,
  check: (task, { actor, args: { worker } }) => {
    if (worker === task.worker) return needsWorkerAsPayer(actor, worker)
    return refuse(403, 'not_worker', `Only the worker the task is assigned to, ${task.worker}, may deliver.`, {
      field: 'workerAddress',
    })
  },
  offeredAs: ({ id }) => [{ command: `task submit ${id} --file <path>` }],
}
