import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import { type ClaimTree, growClaimTree } from '../../domain/sponsored/claim-proofs.ts'
import type { SettlementRow } from '../../read-model/vaults.queries.ts'

/** The number of Merkle trees that are cached. A tree has at most fifty leaves and needs about ten kilobytes. */
const MOST_TREES = 1_000
/** The cached Merkle trees by root. The root determines all leaves, so a cached tree never becomes wrong. */
const grown = new LRUCache<Hex, ClaimTree>({ max: MOST_TREES })

/**
 * Returns the Merkle tree of a settlement. Before it builds a tree, the function lets other requests run, because a
 * tree of fifty leaves takes some milliseconds.
 * @throws Error if the leaves do not match the root
 */
export async function findClaimTree(
  vaultId: Hex,
  { taskId, epoch, root, leaves }: Pick<SettlementRow, 'taskId' | 'epoch' | 'root' | 'leaves'>,
): Promise<ClaimTree> {
  const cachedTree = grown.get(root)
  if (cachedTree !== undefined) return cachedTree
  await setImmediate()
  const tree = growClaimTree({ vaultId, epoch, taskId }, leaves)
  if (tree.root !== root) throw new Error(`the leaves of task ${taskId} in vault ${vaultId} are not those of its root`)
  grown.set(root, tree)
  return tree
}
