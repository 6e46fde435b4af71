import type { Address } from 'viem'
import { contestModes } from '../../../src/rules/selectors.ts'
import { refuse } from '../refusal.ts'
import { type ActionRule, untilExpiry } from './action-rule.ts'

export interface SubmitArgs {
  worker: Address
}

/** Any worker, as often as he likes; a rejected one never again. Free up to an allowance, which is not a rule. */
export const submitToContest: ActionRule<SubmitArgs> = {
  action: 'submit',
  modes: contestModes,
  statuses: ['open'],
  fee: null,
  eligible: () => [{ role: 'worker', address: null }],
  window: untilExpiry,
  check: (task, { actor, args: { worker } }) => {
    if (worker === task.evaluator || worker === task.disputeResolver) {
      return refuse(403, 'judge_cannot_enter', 'Who judges a task cannot submit to it.', { field: 'workerAddress' })
    }
    if (task.entries.get(worker)?.rejected === true) {
      return refuse(409, 'worker_rejected', 'The requester rejected this worker: it cannot submit to this task again.')
    }
    if (actor === null || actor === worker) return null
    return refuse(403, 'payer_mismatch', `The payer ${actor} must be the worker ${worker}; nothing was charged.`, {
      payerMismatch: true,
      field: 'workerAddress',
    })
  },
  offeredAs: ({ id }) => [{ command: `task submit ${id} --file <path>` }],
}
