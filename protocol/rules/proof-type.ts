import { type Hex, keccak256, toBytes } from 'viem'
import { unknownName } from './selectors.ts'

/** Types of a benchmark proof (specification, "Claim, pitches, bids, proofs"). */
export const proofTypes = ['url', 'screenshot', 'api_data', 'manual', 'custom', 'eval', 'tlsn', 'zk'] as const

export type ProofType = (typeof proofTypes)[number]

const typesByHash = new Map<string, ProofType>(proofTypes.map((type) => [toProofTypeHash(type), type]))

/**
 * Returns the hash with which the market logs a proof type: keccak256 of the type's name. Example:
 * `toProofTypeHash('url')` is `0xb68b..`.
 */
export function toProofTypeHash(type: ProofType): Hex {
  return keccak256(toBytes(type))
}

/**
 * Returns the proof type of a logged hash. Returns `unknown` for a hash of no supported type. Direct callers of the
 * contract may choose any hash.
 * Example: `toProofType('0xb68b..')` is `url`.
 */
export function toProofType(hash: Hex): ProofType | typeof unknownName {
  return typesByHash.get(hash.toLowerCase()) ?? unknownName
}
