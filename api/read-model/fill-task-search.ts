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

/**
 * The number of tasks that one transaction stores. Storing them takes about one second; the statement timeout is 15
 * seconds.
 */
const BATCH_SIZE = 5_000
/** The number of batches of tasks that one transaction deletes when the table is filled again from the beginning. */
const CLEARED_BATCHES = 10
/** The number of new final blocks after which the tasks of these blocks are added to the search table. */
const FILL_EVERY = 16n
/** The pause between two checks for new blocks, in milliseconds. */
const POLL_MS = 5_000

/**
 * Fills the search table `service.task_search` up to the final blocks, one batch in each call. If the table lacks a
 * task, the task lists read the task from the indexer's rows.
 * @returns the pause until the next call, in milliseconds
 */
export async function fillTaskSearch({ sql }: { sql: Database }, batchSize = BATCH_SIZE): Promise<number> {
  const target = findFillTarget(await findFillState(sql))
  if (target === null) return POLL_MS
  const isComplete = await sql.begin('isolation level repeatable read', async (tx) => {
    await lockTaskSearch(tx)
    return await fillBatch(tx, batchSize)
  })
  return isComplete ? POLL_MS : 0
}

type FillState = Awaited<ReturnType<typeof findFillState>>

/**
 * Returns the block up to which the table must be filled: the newest final block, which no reorg removes any more.
 * Returns null if the table is already filled nearly up to this block, or if no final block can be read yet.
 */
function findFillTarget(fillState: FillState): bigint | null {
  if (fillState === null || fillState.head < FINAL_DEPTH) return null
  const { head, schemaVersion, state } = fillState
  const block = head - FINAL_DEPTH
  const isNear =
    state?.caughtUp === true && state.schemaVersion === schemaVersion && block < state.blockNumber + FILL_EVERY
  return isNear ? null : block
}

/**
 * Adds one batch of tasks to the search table.
 * @returns true if the table contains all tasks up to the newest final block
 */
async function fillBatch(tx: Transaction, limit: number): Promise<boolean> {
  const fillState = await findFillState(tx)
  const block = findFillTarget(fillState)
  if (fillState === null || block === null) return true
  const boundary = await findBoundary(tx, block)
  // No task exists yet.
  if (boundary === null) return true
  const { schemaVersion } = fillState
  const isOfServed = fillState.state?.schemaVersion === schemaVersion
  if (!isOfServed && !(await clearTaskSearch(tx, limit * CLEARED_BATCHES))) return false
  const state = isOfServed && fillState.state !== null ? fillState.state : emptyState(schemaVersion, boundary)
  const updatedBlock = await findNextUpdates(tx, { state, block, limit })
  const hasMoreTexts = await storeChanged(tx, { state, block: updatedBlock, limit })
  const to = await findNextCreation(tx, { createdAtMs: state.createdAtMs, block, limit })
  if (to !== null) await storeCreated(tx, { from: state.createdAtMs, to })
  // Tasks are stored in the state of the newest block; the next batch stores tasks with later updates again.
  await noteTentative(tx, boundary)
  const isLast = to === null || (await findNextCreation(tx, { createdAtMs: to, block, limit: 1 })) === null
  const caughtUp = isLast && updatedBlock === block && !hasMoreTexts
  await setTaskSearchState(tx, {
    schemaVersion,
    createdAtMs: to ?? state.createdAtMs,
    blockNumber: updatedBlock,
    blockTimestamp:
      updatedBlock === block ? boundary.time : ((await findBoundary(tx, updatedBlock))?.time ?? state.blockTimestamp),
    complete: state.complete || isLast,
    caughtUp,
  })
  return caughtUp
}

function emptyState(schemaVersion: string, { block, time }: Boundary): TaskSearchState {
  return { schemaVersion, createdAtMs: -1n, blockNumber: block, blockTimestamp: time, complete: false, caughtUp: false }
}
