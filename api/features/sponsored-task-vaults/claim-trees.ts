import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import { type ClaimTree, growClaimTree } from '../../domain/sponsored/claim-proofs.ts'
import type { SettlementRow } from '../../read-model/vaults.queries.ts'

/** The number of Merkle trees that are cached. A tree has at most fifty leaves and needs about ten kilobytes. */
const MOST_TREES = 1_000
/** The cached Merkle trees by root. A cached tree always remains correct, because the root determines all leaves. */
const trees = new LRUCache<Hex, ClaimTree>({ max: MOST_TREES })

/**
 * Returns the Merkle tree of the rewards that a vault pays for one task.
 * @throws Error if the settlement's leaves do not match the settlement's Merkle root
 */
export async function findClaimTree(
  vaultId: Hex,
  { taskId, epoch, root, leaves }: Pick<SettlementRow, 'taskId' | 'epoch' | 'root' | 'leaves'>,
): Promise<ClaimTree> {
  const cachedTree = trees.get(root)
  if (cachedTree !== undefined) return cachedTree
  await setImmediate()
  const tree = growClaimTree({ vaultId, epoch, taskId }, leaves)
  if (tree.root !== root) throw new Error(`the leaves of task ${taskId} in vault ${vaultId} are not those of its root`)
  trees.set(root, tree)
  return tree
}
