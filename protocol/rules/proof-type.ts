import { type Hex, keccak256, toBytes } from 'viem'
import { unknownName } from './selectors.ts'

/** What a benchmark proof may be. Spec, "Claim, pitches, bids, proofs". */
export const proofTypes = ['url', 'screenshot', 'api_data', 'manual', 'custom', 'eval', 'tlsn', 'zk'] as const

export type ProofType = (typeof proofTypes)[number]

const typesByHash = new Map<string, ProofType>(proofTypes.map((type) => [toProofTypeHash(type), type]))

/** What the market logs of a type: keccak256 of its name. */
export function toProofTypeHash(type: ProofType): Hex {
  return keccak256(toBytes(type))
}

/** The type of a logged hash; `unknown` for one that names none: a chain actor chose it. */
export function toProofType(hash: Hex): ProofType | typeof unknownName {
  return typesByHash.get(hash.toLowerCase()) ?? unknownName
}
