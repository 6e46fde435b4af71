import type { Database, Queryable } from '../../../db/client.ts'
import { FINAL_DEPTH, findBoundary } from '../../../read-model/final-blocks.queries.ts'
import {
  countChangeSince,
  countPublicTasks,
  findTotalsState,
  type StoredTotals,
  storeTotals,
  type Totals,
  type TotalsState,
} from './public-totals.queries.ts'

/**
 * The number of new final blocks after which the totals are stored again. Until then, each reader counts the tasks of
 * these blocks itself.
 */
const STORE_EVERY = 64n

/**
 * Returns the number of public tasks and the sum of their rewards, exactly as of the newest indexed block. The function
 * reads the totals that are stored for a final block and adds the later changes.
 */
export async function readPublicTotals(sql: Database): Promise<Totals> {
  const state = await findTotalsState(sql)
  if (findBlockToStore(state) === null) return await countFrom(sql, state)
  const { totals, deployment, toStore } = await sql.begin('isolation level repeatable read', countForStoring)
  if (toStore !== null) await storeTotals(sql, deployment, toStore)
  return totals
}

/**
 * Returns the present totals (`totals`) and the totals as of a newer final block (`toStore`). The caller stores
 * `toStore` unless it is null. All values are read from one snapshot.
 */
async function countForStoring(
  sql: Queryable,
): Promise<{ totals: Totals; deployment: string; toStore: StoredTotals | null }> {
  const state = await findTotalsState(sql)
  const { deployment } = state
  const totals = await countFrom(sql, state)
  const block = findBlockToStore(state)
  const boundary = block === null ? null : await findBoundary(sql, block)
  if (boundary === null) return { totals, deployment, toStore: null }
  const { count, totalRewards } = await countChangeSince(sql, boundary)
  const toStore = { ...boundary, count: totals.count - count, totalRewards: totals.totalRewards - totalRewards }
  return { totals, deployment, toStore }
}

async function countFrom(sql: Queryable, { stored, head }: TotalsState): Promise<Totals> {
  if (stored === null || head === null || head < stored.block) return await countPublicTasks(sql)
  const change = await countChangeSince(sql, stored)
  return { count: stored.count + change.count, totalRewards: stored.totalRewards + change.totalRewards }
}

/**
 * Returns the height of the next final block for which totals are to be stored. Returns null while the stored totals
 * are recent enough.
 */
function findBlockToStore({ head, stored }: TotalsState): bigint | null {
  if (head === null || head < FINAL_DEPTH) return null
  const block = head - FINAL_DEPTH
  return stored === null || block >= stored.block + STORE_EVERY ? block : null
}
