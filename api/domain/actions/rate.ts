import type { Address } from 'viem'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { refuse } from '../refusal.ts'
import { type ActionRule, always, requesterOnly } from './action-rule.ts'

export interface RateArgs {
  worker: Address
}

/**
 * The rule by which the requester rates each award recipient of a completed task once. The pending actions list each
 * unrated recipient separately. A requester cannot rate itself. See the interface specification, section 11.
 */
export const rateAward: ActionRule<RateArgs> = {
  action: 'rate',
  modes: taskModes,
  statuses: ['completed'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  check: ({ awards, requester }, { args: { worker } }) => {
    if (worker === requester) {
      return refuse(403, 'self_rating', 'A requester cannot rate itself.', { field: 'worker' })
    }
    const award = awards.find((candidate) => candidate.worker === worker)
    if (award === undefined) {
      return refuse(409, 'not_awarded', `${worker} received no award of this task.`, { field: 'worker' })
    }
    return award.rated ? refuse(409, 'already_rated', `${worker} is rated already.`, { field: 'worker' }) : null
  },
  offeredAs: ({ id, awards, requester }) =>
    awards
      .filter(({ rated, worker }) => !rated && worker !== requester)
      .map(({ worker }) => ({
        command: `task rate ${id} --worker ${worker} --rating <0-100>`,
        targetWorker: worker,
      })),
}
