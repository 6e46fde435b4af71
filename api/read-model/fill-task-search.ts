import type { Database, Transaction } from '../db/client.ts'
import {
  clearTaskSearch,
  findFillState,
  findNextCreation,
  findNextUpdates,
  lockTaskSearch,
  noteTentative,
  setTaskSearchState,
  storeChanged,
  storeCreated,
  type TaskSearchState,
} from './fill-task-search.queries.ts'
import { type Boundary, FINAL_DEPTH, findBoundary } from './final-blocks.queries.ts'

/** How many tasks one transaction covers: a second, of the fifteen that a statement has. */
const BATCH_SIZE = 5_000
/** How many times as many it removes in one, where it begins anew. */
const CLEARED_BATCHES = 10
/** How many blocks the table may be behind the final ones before it is filled on. */
const FILL_EVERY = 16n
/** Pause between two looks at the head, milliseconds. */
const POLL_MS = 5_000

/**
 * Fills the table that tasks are found in by words and tags (`service.task_search`) up to the final blocks, a batch in
 * each call. It may be as far behind as it likes: lists read what it lacks from the rows.
 * @returns the pause until the next call, milliseconds
 */
export async function fillTaskSearch({ sql }: { sql: Database }, batchSize = BATCH_SIZE): Promise<number> {
  const due = findFillTarget(await findFillState(sql))
  if (due === null) return POLL_MS
  const isComplete = await sql.begin('isolation level repeatable read', async (tx) => {
    await lockTaskSearch(tx)
    return await fillBatch(tx, batchSize)
  })
  return isComplete ? POLL_MS : 0
}

type FillState = Awaited<ReturnType<typeof findFillState>>

/** The block to fill it to; null while it is near enough. */
function findFillTarget(found: FillState): bigint | null {
  if (found === null || found.head < FINAL_DEPTH) return null
  const { head, schemaVersion, state } = found
  const block = head - FINAL_DEPTH
  const isNear =
    state?.caughtUp === true && state.schemaVersion === schemaVersion && block < state.blockNumber + FILL_EVERY
  return isNear ? null : block
}

/** @returns whether it has reached the final blocks */
async function fillBatch(tx: Transaction, limit: number): Promise<boolean> {
  const found = await findFillState(tx)
  const block = findFillTarget(found)
  if (found === null || block === null) return true
  const final = await findBoundary(tx, block)
  // No task yet.
  if (final === null) return true
  const { schemaVersion } = found
  const isOfServed = found.state?.schemaVersion === schemaVersion
  if (!isOfServed && !(await clearTaskSearch(tx, limit * CLEARED_BATCHES))) return false
  const state = isOfServed && found.state !== null ? found.state : emptyState(schemaVersion, final)
  const updated = await findNextUpdates(tx, { state, block, limit })
  const hasMoreTexts = await storeChanged(tx, { state, block: updated, limit })
  const to = await findNextCreation(tx, { createdAtMs: state.createdAtMs, block, limit })
  if (to !== null) await storeCreated(tx, { from: state.createdAtMs, to })
  // What is stored is as the head is, also where updates until then are stored again by the next batch.
  await noteTentative(tx, final)
  const isLast = to === null || (await findNextCreation(tx, { createdAtMs: to, block, limit: 1 })) === null
  const caughtUp = isLast && updated === block && !hasMoreTexts
  await setTaskSearchState(tx, {
    schemaVersion,
    createdAtMs: to ?? state.createdAtMs,
    blockNumber: updated,
    blockTimestamp: updated === block ? final.time : ((await findBoundary(tx, updated))?.time ?? state.blockTimestamp),
    complete: state.complete || isLast,
    caughtUp,
  })
  return caughtUp
}

function emptyState(schemaVersion: string, { block, time }: Boundary): TaskSearchState {
  return { schemaVersion, createdAtMs: -1n, blockNumber: block, blockTimestamp: time, complete: false, caughtUp: false }
}
