import { nothing } from '../decisions.ts'
import { exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import { MAX_WINNERS } from '../limits.ts'
import type { ListingOf } from '../listing.ts'
import { toBytes } from '../normalise.ts'
import { free } from '../prices.ts'

/**
 * Lets a verdict take effect after the time for an appeal. Any account may send this call for free (interface
 * specification, "Evaluator flow").
 * Example: the call `finalizeVerdict(taskId)` of the market.
 */
export const finalizeVerdict = marketCall('finalizeVerdict')({
  name: 'tasks.finalizeVerdict',
  operationId: 'finalizeVerdict',
  path: '/tasks/{taskId}/finalize-verdict',
  action: 'finalize_verdict',
  legalExempt: true,
  modes: ['open'],
  facts: [],
  normalise: ({ taskId }: { taskId: string }) => ({ taskId: toBytes(taskId) }),
  args: ({ taskId }) => [taskId],
  price: free,
  // The verdict disposed of the escrow before; here it takes effect.
  decides: nothing,
})

export const finalizeVerdictListing: ListingOf<typeof finalizeVerdict> = {
  summary: 'Let a verdict take effect',
  description:
    'Free and open to anyone: from the appealDeadline on when no worker appealed, and from the end of the resolver’s ' +
    'time without a resolution. Approve and partial pay the awards, reject gives everything back. The intent has an ' +
    'initiator only if the read-auth headers are sent.',
  gas: {
    typicalGas: 220_000,
    gasCeiling: 450_000,
    typicalAwardGas: 60_000,
    ceilingAwardGas: 80_000,
    freeBudget: 'exits',
  },
  allowance: () => ({ awards: MAX_WINNERS }),
  example: { taskId: exampleTaskId },
}
