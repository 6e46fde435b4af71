import { type Address, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'

/**
 * Keys of rows for which the contract has no id. No key contains a chain position, because a reorg can change the chain
 * position.
 */

/**
 * Returns the key of a submission: keccak256(abi.encode(taskId, worker, deliverable)). A worker can submit the same
 * deliverable to a task only once.
 * Example: task `0x9f9f..`, worker `0xa1a1..` and deliverable `0xd1d1..` give `0x1683..`.
 */
export function toSubmissionId(taskId: Hex, { worker, deliverable }: { worker: Address; deliverable: Hex }): Hex {
  return hashOfCommitment(taskId, worker, deliverable)
}

/**
 * Returns the key of a proof: keccak256(abi.encode(taskId, worker, proofHash)). The proof's submission has the same
 * key.
 * Example: task `0x9f9f..`, worker `0xa1a1..` and hash `0xd1d1..` give `0x1683..`.
 */
export function toProofId(taskId: Hex, { worker, proofHash }: { worker: Address; proofHash: Hex }): Hex {
  return hashOfCommitment(taskId, worker, proofHash)
}

/**
 * Returns the key of a pitch: keccak256(abi.encode(taskId, worker, pitchHash)). If a worker repeats a pitch for the
 * same task with the same hash, the key is the same.
 * Example: task `0x9f9f..`, worker `0xa1a1..` and hash `0xd1d1..` give `0x1683..`.
 */
export function toPitchId(taskId: Hex, { worker, pitchHash }: { worker: Address; pitchHash: Hex }): Hex {
  return hashOfCommitment(taskId, worker, pitchHash)
}

/**
 * Returns the key of a claim: keccak256(abi.encode(taskId, worker, uint256 round)). A task has at most one claim in a
 * round.
 * Example: task `0x9f9f..`, worker `0xa1a1..` and round 0 give `0xd45d..`.
 */
export function toClaimId(taskId: Hex, { worker, round }: { worker: Address; round: number }): Hex {
  return hashOfCommitment(taskId, worker, numberToHex(round, { size: 32 }))
}

/**
 * Returns the key of a rating: keccak256(abi.encode(taskId, worker)). The API returns the key as the feedback id. Each
 * awarded worker can be rated once.
 * Example: task `0x9f9f..` and worker `0xa1a1..` give `0xc181..`.
 */
export function toRatingId(taskId: Hex, worker: Address): Hex {
  return hashOfPair(taskId, worker)
}

/**
 * Returns the key of a bid: keccak256(abi.encode(taskId, worker)). A worker has one bid in a task. A later bid of the
 * worker has the same key.
 * Example: task `0x9f9f..` and worker `0xa1a1..` give `0xc181..`.
 */
export function toBidId(taskId: Hex, worker: Address): Hex {
  return hashOfPair(taskId, worker)
}

/**
 * Returns `<taskId>:<worker>`, the key of two kinds of rows: what a worker did in a task (`taskEntry`), and the award
 * of the worker in the task (`award`). Example: `0x9f..:0xa1..`.
 */
export function toTaskWorkerId(taskId: Hex, worker: Address): string {
  return `${taskId}:${worker.toLowerCase()}`
}

/**
 * Returns the key of the row that links a requester with a worker who submitted to the requester's tasks:
 * `<requester>:<worker>`. Example: `0x0e..:0xa1..`.
 */
export function toRequesterWorkerId(requester: Address, worker: Address): string {
  return `${requester.toLowerCase()}:${worker.toLowerCase()}`
}

/**
 * Returns the key of the row that counts a worker's awards for a tag: `<worker>:<tagHash>`. Example: `0xa1..:0xc3..`.
 */
export function toAgentSkillId(worker: Address, tagHash: Hex): string {
  return `${worker.toLowerCase()}:${tagHash.toLowerCase()}`
}

/**
 * Returns the key of an award in a decision: `<taskId>:<decidedBy>:<worker>`. A decision awards each worker at most
 * once. Example: `0x9f..:resolver:0xa1..`.
 */
export function toVerdictAwardId(taskId: Hex, award: { decidedBy: 'evaluator' | 'resolver'; worker: Address }): string {
  return `${taskId}:${award.decidedBy}:${award.worker.toLowerCase()}`
}

/** Returns the key of an event in a task's history: `<taskId>:<ordinal>`. Example: `0x9f..:3`. */
export function toTaskEventId(taskId: Hex, ordinal: number): string {
  return `${taskId}:${ordinal}`
}

/** Returns the key of a payment by an ERC-3009 authorization: `<payer>:<nonce>`. Example: `0xa1..:0x7b..`. */
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
