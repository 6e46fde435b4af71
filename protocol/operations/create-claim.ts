import { signatureSuffixOf } from '../claim-round.ts'
import { nothing } from '../decisions.ts'
import { exampleSignature, exampleTaskId, exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { stakeOfTask } from '../prices.ts'

interface ClaimRequest {
  taskId: string
  workerAddress: string
  signature: string
  /** Hash of the terms to which the worker agrees; the hash of the task's current terms unless given. */
  termsHash?: string | undefined
}

/**
 * Claims a task (specification, "Claim, pitches, bids, proofs"; interface specification, "Other rules"). If the task
 * requires a stake, the worker pays the stake. Without a stake the claim is free, and the worker signs a message.
 * Example: the call `claimTask(taskId, termsHash)` of the market, authorized by the signed message
 * `service:claim:0x9f..`.
 */
export const createClaim = marketCall('claimTask')({
  name: 'claims.create',
  operationId: 'createClaim',
  path: '/tasks/{taskId}/claim',
  action: 'claim',
  actorField: 'workerAddress',
  modes: ['signed', 'paid'],
  signed: {
    verb: 'claim',
    suffixRule: 'round',
    taskId: ({ taskId }) => taskId,
    signer: ({ workerAddress }) => workerAddress,
    signature: ({ signature }) => signature,
    suffixes: (_input, facts) => [signatureSuffixOf(facts)],
  },
  facts: ['termsHash', 'stake', 'claimRound'],
  normalise: ({ taskId, workerAddress, signature, termsHash }: ClaimRequest) => ({
    taskId: toBytes(taskId),
    workerAddress: toAddress(workerAddress),
    signature: toBytes(signature),
    ...(termsHash !== undefined && { termsHash: toBytes(termsHash) }),
  }),
  args: ({ taskId, termsHash }, { facts }) => [taskId, termsHash ?? facts.termsHash],
  price: stakeOfTask,
  decides: nothing,
})

export const createClaimListing: ListingOf<typeof createClaim> = {
  summary: 'Claim a task',
  description:
    'Free on the signature of the worker where the task asks for no stake; else paid by the worker: exactly the stake, ' +
    'all of which goes into escrow. Lands on the terms it was admitted on, or not at all. After a free claim that reverted on ' +
    'chain, the same signature needs the read-identity headers of the worker beside it.',
  gas: { typicalGas: 230_000, gasCeiling: 400_000, freeBudget: 'entries' },
  example: { taskId: exampleTaskId, workerAddress: exampleWorker, signature: exampleSignature },
}
