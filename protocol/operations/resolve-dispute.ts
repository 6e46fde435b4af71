import { wholeReward } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'
import {
  type AwardRequest,
  exampleAwards,
  normaliseAwards,
  type Resolution,
  toContractVerdict,
} from './verdict-awards.ts'

interface ResolveDisputeRequest {
  taskId: string
  verdict: Resolution
  awards: readonly AwardRequest[]
}

/**
 * Settles an appealed verdict by the resolver's decision (interface specification, "Evaluator flow").
 * Example: the call `resolveDispute(taskId, verdict, awards)` of the market with the verdict 1 (approve).
 */
export const resolveDispute = marketCall('resolveDispute')({
  name: 'tasks.resolveDispute',
  operationId: 'resolveDispute',
  path: '/tasks/{taskId}/resolve-dispute',
  action: 'resolve_dispute',
  modes: ['paid'],
  facts: ['reward'],
  normalise: ({ taskId, verdict, awards }: ResolveDisputeRequest) => ({
    taskId: toBytes(taskId),
    verdict,
    awards: normaliseAwards(awards),
  }),
  args: ({ taskId, verdict, awards }) => [taskId, toContractVerdict(verdict), awards],
  price: actionFee,
  decides: wholeReward,
})

export const resolveDisputeListing: ListingOf<typeof resolveDispute> = {
  summary: 'Settle an appealed verdict',
  description:
    'Paid, dispute resolver only; within the time an appeal gives, which is the appeal window and at least 24 hours. ' +
    'The awards are paid at once, in the place of the evaluator’s; the rest goes back to the requester.',
  gas: { typicalGas: 320_000, gasCeiling: 500_000, typicalAwardGas: 60_000, ceilingAwardGas: 80_000 },
  allowance: ({ awards }) => ({ awards: awards.length }),
  example: { taskId: exampleTaskId, verdict: 'approve', awards: exampleAwards },
}
