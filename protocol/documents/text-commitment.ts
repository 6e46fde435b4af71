import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'

/** A worker's text for a task: the text of a pitch, or the data of a benchmark proof. */
export interface CommittedText {
  taskId: Hex
  worker: Address
  /** The text. It must have no lone surrogates, because a lone surrogate has no UTF-8 form. */
  text: string
}

/** A commitment to a text: the encoded bytes, and keccak256 of these bytes. */
export interface TextCommitment {
  /** abi.encode(bytes32 taskId, address worker, string text), lower-case hex. */
  preimage: Hex
  hash: Hex
}

const layout = [{ type: 'bytes32' }, { type: 'address' }, { type: 'string' }] as const

/**
 * Builds the commitment to a pitch or a proof (specification, "Content verification (raw bytes)"). The same task,
 * worker and text always give the same hash.
 * Example: the pitch `I write haiku every day.` of worker `0xA1a1..` for task `0x9f9f..` has the hash `0xc0ea..`.
 */
export function commitToText({ taskId, worker, text }: CommittedText): TextCommitment {
  const preimage = encodeAbiParameters(layout, [taskId, worker, text])
  return { preimage, hash: keccak256(preimage) }
}
