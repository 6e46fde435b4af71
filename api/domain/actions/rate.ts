import type { Address } from 'viem'
import { taskModes } from '../../../src/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { refuse } from '../refusal.ts'
import { type ActionRule, always, requesterOnly } from './action-rule.ts'

export interface RateArgs {
  worker: Address
}

/** Each award recipient of a completed task once. Offered once for each who is not rated yet. */
export const rateAward: ActionRule<RateArgs> = {
  action: 'rate',
  modes: taskModes,
  statuses: ['completed'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  check: ({ awards }, { args: { worker } }) => {
    const award = awards.find((candidate) => candidate.worker === worker)
    if (award === undefined) {
      return refuse(409, 'not_awarded', `${worker} received no award of this task.`, { field: 'worker' })
    }
    return award.rated ? refuse(409, 'already_rated', `${worker} is rated already.`, { field: 'worker' }) : null
  },
  offeredAs: ({ id, awards }) =>
    awards
      .filter(({ rated }) => !rated)
      .map(({ worker }) => ({
        command: `task rate ${id} --worker ${worker} --rating <0-100>`,
        targetWorker: worker,
      })),
}
