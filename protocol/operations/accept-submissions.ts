import { wholeReward } from '../decisions.ts'
import { exampleOtherWorker, exampleSubmissionId, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { actionFee } from '../prices.ts'
import { deliverableAt } from './deliverable-at.ts'

/** One of the winners among whom a reward is split. */
interface Winner {
  worker: string
  /** The winner's share, in basis points of the reward. */
  share: number
  /** Id of the submission that is paid; the worker's latest submission unless given. */
  submissionId?: string | undefined
}

/**
 * Splits the reward of a contest among several workers (specification, "Lifecycle writes"; interface specification,
 * "Other rules").
 * Example: shares of 7000 and 3000 basis points of a reward of 5_000_000n base units pay 3_500_000n and 1_500_000n
 * gross.
 */
export const acceptSubmissions = marketCall('acceptSubmissions')({
  name: 'tasks.acceptSubmissions',
  operationId: 'acceptSubmissions',
  path: '/tasks/{taskId}/accept-submissions',
  action: 'accept_submissions',
  modes: ['paid'],
  facts: ['reward', 'deliverables'],
  normalise: ({ taskId, winners }: { taskId: string; winners: readonly Winner[] }) => ({
    taskId: toBytes(taskId),
    winners: winners.map(({ worker, share, submissionId }) => ({
      worker: toAddress(worker),
      share,
      ...(submissionId !== undefined && { submissionId: toBytes(submissionId) }),
    })),
  }),
  args: ({ taskId, winners }, { facts }) => [
    taskId,
    winners.map(({ worker, share }, index) => ({
      worker,
      shareBps: share,
      deliverable: deliverableAt(facts, index),
    })),
  ],
  price: actionFee,
  decides: wholeReward,
})

export const acceptSubmissionsListing: ListingOf<typeof acceptSubmissions> = {
  summary: 'Split the reward among several workers',
  description: 'Paid, requester only; bounty and benchmark tasks. Possible after the expiry too.',
  gas: { typicalGas: 260_000, gasCeiling: 450_000, typicalAwardGas: 60_000, ceilingAwardGas: 80_000 },
  allowance: ({ winners }) => ({ awards: winners.length }),
  example: {
    taskId: exampleTaskId,
    winners: [
      { worker: exampleWorker, share: 7_000 },
      { worker: exampleOtherWorker, share: 3_000, submissionId: exampleSubmissionId },
    ],
  },
}
