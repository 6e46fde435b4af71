import { type Address, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'

/**
 * Ids of rows that have no id on chain. None holds a transaction position: a reorg moves those.
 */

/** keccak256(abi.encode(taskId, worker, deliverable)): a worker commits each deliverable of a task once. */
export function toSubmissionId(taskId: Hex, { worker, deliverable }: { worker: Address; deliverable: Hex }): Hex {
  return hashOfCommitment(taskId, worker, deliverable)
}

/** keccak256(abi.encode(taskId, worker, proofHash)): a proof is a submission, too, and bears its id. */
export function toProofId(taskId: Hex, { worker, proofHash }: { worker: Address; proofHash: Hex }): Hex {
  return hashOfCommitment(taskId, worker, proofHash)
}

/** keccak256(abi.encode(taskId, worker, pitchHash)): the same pitch again is the same row. */
export function toPitchId(taskId: Hex, { worker, pitchHash }: { worker: Address; pitchHash: Hex }): Hex {
  return hashOfCommitment(taskId, worker, pitchHash)
}

/**
 * keccak256(abi.encode(taskId, worker, uint256 round)): a task is claimed once a round, by the same worker again maybe.
 */
export function toClaimId(taskId: Hex, { worker, round }: { worker: Address; round: number }): Hex {
  return hashOfCommitment(taskId, worker, numberToHex(round, { size: 32 }))
}

/** keccak256(abi.encode(taskId, worker)): each award recipient is rated once. Served as the feedback id. */
export function toRatingId(taskId: Hex, worker: Address): Hex {
  return hashOfPair(taskId, worker)
}

/** keccak256(abi.encode(taskId, worker)): a worker has one bid in a task, the last. */
export function toBidId(taskId: Hex, worker: Address): Hex {
  return hashOfPair(taskId, worker)
}

/** `<taskId>:<worker>`: the key of what a worker has once in a task, its entry and its award. */
export function toTaskWorkerId(taskId: Hex, worker: Address): string {
  return `${taskId}:${worker.toLowerCase()}`
}

/** `<requester>:<worker>`: who has ever submitted to whom. */
export function toRequesterWorkerId(requester: Address, worker: Address): string {
  return `${requester.toLowerCase()}:${worker.toLowerCase()}`
}

/** `<worker>:<tagHash>`: what a worker was awarded for. */
export function toAgentSkillId(worker: Address, tagHash: Hex): string {
  return `${worker.toLowerCase()}:${tagHash.toLowerCase()}`
}

/** `<taskId>:<decidedBy>:<worker>`: a decision awards each worker once. */
export function toVerdictAwardId(taskId: Hex, award: { decidedBy: 'evaluator' | 'resolver'; worker: Address }): string {
  return `${taskId}:${award.decidedBy}:${award.worker.toLowerCase()}`
}

/** `<taskId>:<ordinal>`. */
export function toTaskEventId(taskId: Hex, ordinal: number): string {
  return `${taskId}:${ordinal}`
}

/** `<payer>:<nonce>`: an ERC-3009 authorization. */
export function toPaymentId(payer: Address, nonce: Hex): string {
  return `${payer.toLowerCase()}:${nonce.toLowerCase()}`
}

function hashOfPair(taskId: Hex, worker: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [taskId, worker]))
}

function hashOfCommitment(taskId: Hex, worker: Address, word: Hex): Hex {
  return keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }, { type: 'bytes32' }], [taskId, worker, word]),
  )
}
