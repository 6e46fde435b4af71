import { nothing } from '../decisions.ts'
import type { HashedDocument } from '../documents/canonical-json.ts'
import { toFeedbackDocument } from '../documents/feedback-document.ts'
import { exampleSalt, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import type { CallContext } from '../operation.ts'
import { actionFee } from '../prices.ts'
import { toRatingId } from '../rules/row-ids.ts'

interface RateWorkerRequest {
  taskId: string
  worker: string
  /** The rating, 0 to 100. */
  rating: number
  feedbackText?: string | undefined
  documentSalt: string
  createdAt: string
}

/** A normalised request for a rating. */
type Rating = ReturnType<typeof normalise>

/**
 * Rates a worker who received an award (specification, "Lifecycle writes").
 * Example: the call `rateTask(params)` of the market with the task `0x9f..`, the worker `0xa1..` and the rating 90. The
 * service's fee is 1_000n base units of USDC.
 */
export const rateWorker = marketCall('rateTask')({
  name: 'tasks.rate',
  operationId: 'rateWorker',
  path: '/tasks/{taskId}/rate',
  action: 'rate',
  modes: ['paid'],
  facts: ['raterAgentId', 'workerAgentId', 'feedbackBase'],
  choices: ['documentSalt', 'createdAt'],
  normalise,
  args: (rating, context) => {
    const { taskId, worker } = rating
    const { raterAgentId, workerAgentId, feedbackBase } = context.facts
    return [
      {
        taskId,
        worker,
        rating: rating.rating,
        raterAgentId: raterAgentId ?? 0n,
        workerAgentId: workerAgentId ?? 0n,
        hasAgent: workerAgentId !== null,
        feedbackURI: feedbackBase + toRatingId(taskId, worker),
        feedbackHash: documentOfRating(rating, context).hash,
      },
    ]
  },
  price: actionFee,
  decides: nothing,
})

/**
 * Builds the feedback file of a rating. The rating commits to the hash of this file.
 * Example: `{ text: '{"agentId":7,"agentRegistry":"eip155:8453:0x8004..",...', hash: '0x..' }`.
 */
export function documentOfRating(
  { documentSalt, feedbackText = '', ...rating }: Rating,
  { facts: { workerAgentId }, deployment, actor }: CallContext<'workerAgentId'>,
): HashedDocument {
  const { chainId, identityRegistry } = deployment
  const feedback = { ...rating, feedbackText, chainId, identityRegistry, requester: actor, workerAgentId }
  return toFeedbackDocument(feedback, documentSalt)
}

function normalise({ taskId, worker, rating, feedbackText, documentSalt, createdAt }: RateWorkerRequest) {
  return {
    taskId: toBytes(taskId),
    worker: toAddress(worker),
    rating,
    ...(feedbackText !== undefined && { feedbackText }),
    documentSalt: toBytes(documentSalt),
    createdAt,
  }
}

export const rateWorkerListing: ListingOf<typeof rateWorker> = {
  summary: 'Rate a worker who received an award',
  description:
    'Paid, requester only, once for each award of a completed task. The text goes into a hashed feedback file.',
  gas: { typicalGas: 330_000, gasCeiling: 450_000 },
  // The market calls the reputation registry with a fixed amount of gas (RatingLib.sol).
  allowance: (_input, { workerAgentId }) => (workerAgentId === null ? {} : { outsideGas: 470_000n }),
  example: {
    taskId: exampleTaskId,
    worker: exampleWorker,
    rating: 90,
    feedbackText: 'Five, seven, five.',
    documentSalt: exampleSalt,
    createdAt: '2026-11-27T12:00:00.000Z',
  },
}
