import { type Address, getAddress, type Hex } from 'viem'
import { type HashedDocument, hashDocument } from './canonical-json.ts'

/** A rating and its text. */
export interface Feedback {
  chainId: number
  identityRegistry: Address
  taskId: Hex
  requester: Address
  worker: Address
  /** ERC-8004 id of the worker; null: a human. */
  workerAgentId: bigint | null
  /** 0..100. */
  rating: number
  feedbackText: string
  /** ISO 8601 with milliseconds and `Z`, hashed as it is. */
  createdAt: string
}

/** The tag under which the market copies ratings into the reputation registry. */
const TAG = 'starred'

/**
 * Builds the file behind a rating's feedbackHash, schema `service-feedback-v1`: the fields of an ERC-8004 feedback file, and the
 * task and text of the rating. The salt (32 random bytes) prevents guessing the text by its hash.
 * Example: a rating of 90 on agent 7 begins with `{"agentId":7,"agentRegistry":"eip155:8453:0x8004..`.
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

/** Returns a number as the standard has it; a decimal string when a JSON number would lose digits. */
function toJsonInteger(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString()
}
