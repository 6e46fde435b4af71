import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import { type ClaimTree, growClaimTree } from '../../domain/sponsored/claim-proofs.ts'
import type { SettlementRow } from '../../read-model/vaults.queries.ts'

/** Of at most fifty leaves each: about ten kilobytes. */
const MOST_TREES = 1_000
/** By root, which names all leaves: a tree never changes. */
const grown = new LRUCache<Hex, ClaimTree>({ max: MOST_TREES })

/**
 * The tree of a settlement. Other requests run between two that are new: one of fifty leaves takes some milliseconds.
 * @throws when the leaves are not those of the root
 */
export async function findClaimTree(
  vaultId: Hex,
  { taskId, epoch, root, leaves }: Pick<SettlementRow, 'taskId' | 'epoch' | 'root' | 'leaves'>,
): Promise<ClaimTree> {
  const known = grown.get(root)
  if (known !== undefined) return known
  await setImmediate()
  const tree = growClaimTree({ vaultId, epoch, taskId }, leaves)
  if (tree.root !== root) throw new Error(`the leaves of task ${taskId} in vault ${vaultId} are not those of its root`)
  grown.set(root, tree)
  return tree
}
