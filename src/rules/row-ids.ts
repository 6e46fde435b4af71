import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'

/**
 * Ids of rows that have no id on chain. None holds a transaction position: a reorg moves those.
 */

/** keccak256(abi.encode(taskId, worker, deliverable)): a worker commits each deliverable of a task once. */
export function toSubmissionId(taskId: Hex, { worker, deliverable }: { worker: Address; deliverable: Hex }): Hex {
  return keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }, { type: 'bytes32' }], [taskId, worker, deliverable]),
  )
}

/** keccak256(abi.encode(taskId, worker)): each award recipient is rated once. Served as the feedback id. */
export function toRatingId(taskId: Hex, worker: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [taskId, worker]))
}

/** `<taskId>:<worker>`: the key of what a worker has once in a task, its entry and its award. */
export function toTaskWorkerId(taskId: Hex, worker: Address): string {
  return `${taskId}:${worker.toLowerCase()}`
}

/** `<taskId>:<ordinal>`. */
export function toTaskEventId(taskId: Hex, ordinal: number): string {
  return `${taskId}:${ordinal}`
}

/** `<payer>:<nonce>`: an ERC-3009 authorization. */
export function toPaymentId(payer: Address, nonce: Hex): string {
  return `${payer.toLowerCase()}:${nonce.toLowerCase()}`
}
