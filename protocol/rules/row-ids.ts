import { type Address, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'

/**
 * Ids of rows that have no id on chain. None contains a position of a transaction, which a reorg changes.
 */

/**
 * Returns keccak256(abi.encode(taskId, worker, deliverable)): a worker commits each deliverable of a task once.
 * Example: task `0x9f9f..`, worker `0xa1a1..` and deliverable `0xd1d1..` give `0x1683..`.
 */
export function toSubmissionId(taskId: Hex, { worker, deliverable }: { worker: Address; deliverable: Hex }): Hex {
  return hashOfCommitment(taskId, worker, deliverable)
}

/**
 * Returns keccak256(abi.encode(taskId, worker, proofHash)): a proof is a submission too, and has its id.
 * Example: task `0x9f9f..`, worker `0xa1a1..` and hash `0xd1d1..` give `0x1683..`.
 */
export function toProofId(taskId: Hex, { worker, proofHash }: { worker: Address; proofHash: Hex }): Hex {
  return hashOfCommitment(taskId, worker, proofHash)
}

/**
 * Returns keccak256(abi.encode(taskId, worker, pitchHash)): the same pitch again is the same row.
 * Example: task `0x9f9f..`, worker `0xa1a1..` and hash `0xd1d1..` give `0x1683..`.
 */
export function toPitchId(taskId: Hex, { worker, pitchHash }: { worker: Address; pitchHash: Hex }): Hex {
  return hashOfCommitment(taskId, worker, pitchHash)
}

/**
 * Returns keccak256(abi.encode(taskId, worker, uint256 round)): a task is claimed once a round, possibly by the same worker
 * again.
 * Example: task `0x9f9f..`, worker `0xa1a1..` and round 0 give `0xd45d..`.
 */
export function toClaimId(taskId: Hex, { worker, round }: { worker: Address; round: number }): Hex {
  return hashOfCommitment(taskId, worker, numberToHex(round, { size: 32 }))
}

/**
 * Returns keccak256(abi.encode(taskId, worker)): each award recipient is rated once. Served as the feedback id.
 * Example: task `0x9f9f..` and worker `0xa1a1..` give `0xc181..`.
 */
export function toRatingId(taskId: Hex, worker: Address): Hex {
  return hashOfPair(taskId, worker)
}

/**
 * Returns keccak256(abi.encode(taskId, worker)): a worker has one bid in a task, the last.
 * Example: task `0x9f9f..` and worker `0xa1a1..` give `0xc181..`.
 */
export function toBidId(taskId: Hex, worker: Address): Hex {
  return hashOfPair(taskId, worker)
}

/** Returns `<taskId>:<worker>`: the key of a worker's entry and award in a task. Example: `0x9f..:0xa1..`. */
export function toTaskWorkerId(taskId: Hex, worker: Address): string {
  return `${taskId}:${worker.toLowerCase()}`
}

/** Returns `<requester>:<worker>`: the key of a worker who submitted to a requester. Example: `0x0e..:0xa1..`. */
export function toRequesterWorkerId(requester: Address, worker: Address): string {
  return `${requester.toLowerCase()}:${worker.toLowerCase()}`
}

/** Returns `<worker>:<tagHash>`: the key of a tag for which a worker was awarded. Example: `0xa1..:0xc3..`. */
export function toAgentSkillId(worker: Address, tagHash: Hex): string {
  return `${worker.toLowerCase()}:${tagHash.toLowerCase()}`
}

/** Returns `<taskId>:<decidedBy>:<worker>`: a decision awards each worker once. Example: `0x9f..:resolver:0xa1..`. */
export function toVerdictAwardId(taskId: Hex, award: { decidedBy: 'evaluator' | 'resolver'; worker: Address }): string {
  return `${taskId}:${award.decidedBy}:${award.worker.toLowerCase()}`
}

/** Returns `<taskId>:<ordinal>`. Example: `0x9f..:3`. */
export function toTaskEventId(taskId: Hex, ordinal: number): string {
  return `${taskId}:${ordinal}`
}

/** Returns `<payer>:<nonce>`: the key of an ERC-3009 authorization. Example: `0xa1..:0x7b..`. */
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
