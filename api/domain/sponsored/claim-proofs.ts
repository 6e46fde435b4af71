import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import type { Address, Hex } from 'viem'

/** A leaf of a settlement: what an award of the task earned. */
export interface SettlementLeaf {
  /** Position among the awards of the task, from 0. */
  index: number
  worker: Address
  /** Base units of the vault's token. */
  amount: bigint
}

/** What all leaves of a settlement have in common. */
export interface SettlementHead {
  vaultId: Hex
  epoch: number
  taskId: Hex
}

/** In the order of contracts/src/sponsored/SettlementTree.sol. */
const leafTypes = ['bytes32', 'uint64', 'bytes32', 'bytes32', 'uint256', 'address', 'uint256']

/**
 * The root of a settlement, and the proof of each leaf, in their order.
 * @param leaves all of the settlement, at least one
 */
export function proveLeaves(head: SettlementHead, leaves: readonly SettlementLeaf[]): { root: Hex; proofs: Hex[][] } {
  const values = leaves.map(({ index, worker, amount }) => [
    head.vaultId,
    BigInt(head.epoch),
    head.taskId,
    head.taskId,
    BigInt(index),
    worker,
    amount,
  ])
  const tree = StandardMerkleTree.of(values, leafTypes)
  return { root: tree.root as Hex, proofs: values.map((_value, position) => tree.getProof(position) as Hex[]) }
}
