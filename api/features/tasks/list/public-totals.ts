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

/** The most blocks that the stored figures may be behind: a reader counts the tasks of these blocks. */
const STORE_EVERY = 64n

/**
 * Number and rewards of the public tasks, exact at the indexed block: figures stored at a final block, and what has
 * changed since. Counting all of them would read all of them.
 */
export async function readPublicTotals(sql: Database): Promise<Totals> {
  const state = await findTotalsState(sql)
  if (findBlockToStore(state) === null) return await countFrom(sql, state)
  const { totals, deployment, toStore } = await sql.begin('isolation level repeatable read', countForStoring)
  if (toStore !== null) await storeTotals(sql, deployment, toStore)
  return totals
}

/** The totals of now, and those of a later final block: the same less what has changed since, in one snapshot. */
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

/** The block to which the stored figures should move; null while they are near enough. */
function findBlockToStore({ head, stored }: TotalsState): bigint | null {
  if (head === null || head < FINAL_DEPTH) return null
  const block = head - FINAL_DEPTH
  return stored === null || block >= stored.block + STORE_EVERY ? block : null
}
