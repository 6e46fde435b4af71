import { zeroHash } from 'viem'
import { nothing } from '../decisions.ts'
import type { HashedDocument } from '../documents/canonical-json.ts'
import { reviseTexts } from '../documents/revise-texts.ts'
import { type TaskTexts, toTaskDocument } from '../documents/task-document.ts'
import { exampleSalt, exampleTaskId } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { ifGiven, toAmount, toBytes } from '../normalise.ts'
import type { Facts, Price } from '../operation.ts'
import { ACTION_FEE, MAX_REWARD } from '../prices.ts'

/** A request for an update of a task. If a field is absent, the task keeps its current value. */
interface UpdateTaskRequest {
  taskId: string
  /** The new reward, USDC base units. */
  reward?: string | undefined
  /** The new expiry, Unix seconds. `bidDeadline` and `pitchDeadline` are in Unix seconds as well. */
  expiryTime?: number | undefined
  bidDeadline?: number | undefined
  pitchDeadline?: number | undefined
  auctionFloorPrice?: string | undefined
  auctionStartPrice?: string | undefined
  description?: string | undefined
  tags?: string[] | undefined
  metricDescription?: string | undefined
  documentSalt: string
}

/** A normalised request for an update. */
type Update = ReturnType<typeof normalise>

/** The price of an update: the service's fee plus the increase of the reward. The increase becomes escrow. */
const updatePrice: Price<Pick<Update, 'reward'>, Pick<Facts, 'reward'>> = {
  of: ({ reward: nextReward }, { reward: presentReward }) => ({
    fee: ACTION_FEE,
    escrow: nextReward !== undefined && nextReward > presentReward ? nextReward - presentReward : 0n,
  }),
  least: ACTION_FEE,
  most: ACTION_FEE + MAX_REWARD,
  is: 'the fee of an action, and what the reward grows by, which goes into escrow',
}

/**
 * Changes the terms or the texts of an open task (specification, "Lifecycle writes").
 * Example: an increase of the reward from 5_000_000n to 6_000_000n base units costs a fee of 1_000n and 1_000_000n of
 * escrow.
 */
export const updateTask = marketCall('updateTask')({
  name: 'tasks.update',
  operationId: 'updateTask',
  path: '/tasks/{taskId}/update',
  action: 'update',
  modes: ['paid'],
  facts: ['reward', 'texts'],
  choices: ['documentSalt'],
  normalise,
  // A zero field keeps the present value.
  args: (update, { facts }) => [
    {
      taskId: update.taskId,
      reward: update.reward ?? 0n,
      expiryTime: Number(update.expiryTime ?? 0n),
      pitchDeadline: Number(update.pitchDeadline ?? 0n),
      bidDeadline: Number(update.bidDeadline ?? 0n),
      clockPrice: update.auctionFloorPrice ?? update.auctionStartPrice ?? 0n,
      contentHash: documentOfUpdate(update, facts)?.hash ?? zeroHash,
    },
  ],
  price: updatePrice,
  decides: nothing,
})

/**
 * Builds the document with the texts of a task after an update. Returns null if the update changes no text.
 * Example: null for an update that has only `taskId` and `reward`.
 * @returns the document's JSON and hash, and the texts
 */
export function documentOfUpdate(
  update: Update,
  { texts: presentTexts }: Pick<Facts, 'texts'>,
): (HashedDocument & { texts: TaskTexts }) | null {
  const texts = reviseTexts(presentTexts, update)
  return texts && { ...toTaskDocument(texts, update.documentSalt), texts }
}

function normalise(request: UpdateTaskRequest) {
  return {
    taskId: toBytes(request.taskId),
    reward: ifGiven(request.reward, toAmount),
    expiryTime: ifGiven(request.expiryTime, BigInt),
    bidDeadline: ifGiven(request.bidDeadline, BigInt),
    pitchDeadline: ifGiven(request.pitchDeadline, BigInt),
    auctionFloorPrice: ifGiven(request.auctionFloorPrice, toAmount),
    auctionStartPrice: ifGiven(request.auctionStartPrice, toAmount),
    description: request.description,
    tags: request.tags,
    metricDescription: request.metricDescription,
    documentSalt: toBytes(request.documentSalt),
  }
}

export const updateTaskListing: ListingOf<typeof updateTask> = {
  summary: 'Change the terms or texts of an open task',
  description:
    `Paid, requester only: ${ACTION_FEE} base units and the increase of the reward, which goes into escrow. Increase and ` +
    'extension always; decrease and shortening never after the first submission or pitch; nothing in an auction with ' +
    'a bid. A deadline for pitches or bids stays where it is when the expiry moves. Answers the task.',
  gas: { typicalGas: 220_000, gasCeiling: 350_000 },
  example: {
    taskId: exampleTaskId,
    reward: '6000000',
    expiryTime: 1_900_000_000,
    description: 'Write two haiku.',
    documentSalt: exampleSalt,
  },
}
