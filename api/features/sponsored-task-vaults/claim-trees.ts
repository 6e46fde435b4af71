import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import { type ClaimTree, growClaimTree } from '../../domain/sponsored/claim-proofs.ts'
import type { SettlementRow } from '../../read-model/vaults.queries.ts'

/** The cached trees, with at most fifty leaves each: about ten kilobytes. */
const MOST_TREES = 1_000
/** The trees by root, which identifies all leaves, so a tree never changes. */
const grown = new LRUCache<Hex, ClaimTree>({ max: MOST_TREES })

/**
 * Returns the tree of a settlement. It yields to other requests between new trees, because one of fifty leaves takes
 * some milliseconds.
 * @throws when the leaves do not match the root
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
