import { type Address, getAddress, type Hex } from 'viem'
import { type HashedDocument, hashDocument } from './canonical-json.ts'

/** A rating of a worker, with its text. */
export interface Feedback {
  chainId: number
  identityRegistry: Address
  taskId: Hex
  requester: Address
  worker: Address
  /** ERC-8004 agent id of the worker; null if the worker is a human. */
  workerAgentId: bigint | null
  /** The rating, 0..100. */
  rating: number
  feedbackText: string
  /**
   * Time of the rating, in ISO 8601 with milliseconds and `Z`. Do not reformat the time, because the feedback file
   * contains this text, and the hash of the file depends on it.
   */
  createdAt: string
}

/** The tag with which the market stores ratings in the ERC-8004 reputation registry. */
const TAG = 'starred'

/**
 * Builds the feedback file of a rating in the schema `service-feedback-v1`: the ERC-8004 fields, the task and the text
 * of the rating. The hash of the file is the rating's `feedbackHash`.
 * Example: the file for a rating of agent 7 begins with `{"agentId":7,"agentRegistry":"eip155:8453:0x8004..`.
 * @param salt 32 random bytes; without them the rating's text could be guessed from the hash
 */
export function toFeedbackDocument(feedback: Feedback, salt: Hex): HashedDocument {
  const { chainId, identityRegistry, taskId, requester, worker, workerAgentId, rating, feedbackText, createdAt } =
    feedback
  return hashDocument({
    agentId: workerAgentId === null ? null : toJsonInteger(workerAgentId),
    agentRegistry: `eip155:${chainId}:${getAddress(identityRegistry)}`,
    clientAddress: `eip155:${chainId}:${getAddress(requester)}`,
    createdAt,
    feedbackText,
    salt,
    schema: 'service-feedback-v1',
    tag1: TAG,
    taskId,
    value: rating,
    valueDecimals: 0,
    workerAddress: getAddress(worker),
  })
}

/**
 * Converts an integer to a JSON number, as ERC-8004 requires. An integer above `Number.MAX_SAFE_INTEGER` becomes a
 * decimal string.
 */
function toJsonInteger(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString()
}
