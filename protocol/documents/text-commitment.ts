import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'

/** A worker's text for a task: a pitch, or the data of a proof. */
export interface CommittedText {
  taskId: Hex
  worker: Address
  /** Well-formed: without lone surrogates, which have no UTF-8. */
  text: string
}

/** The commitment's bytes, and their hash. */
export interface TextCommitment {
  /** The bytes abi.encode(bytes32 taskId, address worker, string text), lower-case hex. */
  preimage: Hex
  hash: Hex
}

const layout = [{ type: 'bytes32' }, { type: 'address' }, { type: 'string' }] as const

/**
 * Builds the commitment to a pitch or proof. Spec, "Content verification (raw bytes)". It has no salt: a text has one hash.
 * Example: the pitch `I write haiku every day.` of worker `0xA1a1..` for task `0x9f9f..` has the hash `0xc0ea..`.
 */
export function commitToText({ taskId, worker, text }: CommittedText): TextCommitment {
  const preimage = encodeAbiParameters(layout, [taskId, worker, text])
  return { preimage, hash: keccak256(preimage) }
}
