import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import type { Database, Transaction } from '../db/client.ts'
import { FINAL_DEPTH } from '../read-model/final-blocks.queries.ts'
import { makeEvents, sourceNames } from './event-kinds.ts'
import {
  choosePlans,
  deleteOldEntries,
  type EntryRow,
  findLogState,
  findRowsState,
  findTimeUpTo,
  insertEntries,
  type LogState,
  lockLog,
  markReverted,
  type RowsState,
  setLogState,
} from './event-log.queries.ts'
import { planReveal } from './reveals.queries.ts'
import { listReveals } from './reveals.ts'
import {
  type EventPlace,
  findBlockAfterRows,
  listEnteredWorkers,
  listEntryPlaces,
  listOrphans,
  listRowPlaces,
  listRows,
  type PlacedRow,
  type Window,
} from './source-rows.queries.ts'

/** The age in seconds at which entries of the event log are deleted: 30 days. */
export const RETENTION_SECONDS = 2_592_000n
/**
 * The approximate number of new indexer rows that one transaction compares with the log. Each transaction also
 * compares again the rows of all blocks that are not final. This number does not count the rows that are compared
 * again.
 */
const ROWS_AT_ONCE = 1_000
/** The largest number of entries that one statement deletes. */
const REMOVED_AT_ONCE = 5_000
/**
 * The largest number of workers that an entry about the end of a task concerns. Further workers of a large contest are
 * left out.
 */
const WORKERS_AT_MOST = 200
/**
 * The pause between two runs, in milliseconds. A new block, or a new database connection that listens for blocks,
 * starts a run before the pause ends.
 */
const POLL_MS = 10_000

/** The dependencies of `appendEvents`. */
export interface EventLogDeps {
  sql: Database
}

/**
 * Appends an entry to the event log for each indexer row that has no entry, in the order of blocks. If a reorg removed
 * or moved the row of an existing entry, appends an entry of kind `reverted` that names the existing entry. A lock lets
 * one process append at a time.
 * @returns the pause until the next call, in milliseconds
 */
export async function appendEvents({ sql }: EventLogDeps): Promise<number> {
  const isComplete = await sql.byKey.begin('isolation level repeatable read', async (tx) => {
    await Promise.all([choosePlans(tx), lockLog(tx)])
    const rows = await findRowsState(tx)
    return rows === null || (await appendUntil(tx, rows))
  })
  if (!isComplete) return 0
  await removeOld(sql)
  return POLL_MS
}

/**
 * Appends entries until every row has an entry, or until the entries of about `ROWS_AT_ONCE` rows are appended.
 * @returns true if every row has an entry
 */
async function appendUntil(tx: Transaction, rows: RowsState): Promise<boolean> {
  const storedState = await findLogState(tx)
  const state = storedState ?? toFirstState(rows)
  // The rows are being indexed again up to the final block of the log.
  if (rows.head < state.finalBlock) return true
  const isNewEpoch = state.origin !== rows.origin
  // Another process has compared these rows, so only newly visible entries can be missing.
  const isCompared = !isNewEpoch && rows.version !== null && state.rowsVersion === rows.version
  const begin = { afterBlock: state.finalBlock, fromTime: state.finalTime }
  const windowBegin = { afterBlock: maxOf(state.head, state.finalBlock), fromTime: state.finalTime }
  const next = isCompared ? null : await findBlockAfterRows(tx, windowBegin, { names: sourceNames, most: ROWS_AT_ONCE })
  const untilBlock = next === null || next > rows.head ? rows.head : next
  const headTime = untilBlock === rows.head ? rows.headTime : state.headTime
  const appendedCount = await appendWindow(tx, { ...begin, untilBlock }, { ...state, headTime, isCompared })
  const rowsVersion = untilBlock === rows.head ? rows.version : null
  const finalBlock = maxOf(state.finalBlock, minOf(untilBlock, rows.head - FINAL_DEPTH))
  const isSame = untilBlock === state.head && rowsVersion === state.rowsVersion
  if (storedState !== null && appendedCount === 0 && !isNewEpoch && isSame) return untilBlock === rows.head
  await setLogState(tx, {
    epoch: isNewEpoch ? randomBytes(6).toString('hex') : state.epoch,
    origin: rows.origin,
    head: untilBlock,
    headTime,
    finalBlock,
    finalTime: (await findTimeUpTo(tx, finalBlock)) ?? state.finalTime,
    lastSequence: state.lastSequence + BigInt(appendedCount),
    rowsVersion,
  })
  return untilBlock === rows.head
}

/** Returns the initial state of a new event log. The log begins with the indexer rows of the last 30 days. */
function toFirstState({ headTime }: RowsState): LogState {
  const finalTime = headTime - RETENTION_SECONDS
  return {
    epoch: '',
    origin: '',
    head: -1n,
    headTime: 0n,
    finalBlock: -1n,
    finalTime,
    lastSequence: 0n,
    rowsVersion: null,
  }
}

/** Appends the log entries for the indexer rows in one range of blocks. @returns the number of appended entries */
async function appendWindow(
  tx: Transaction,
  window: Window,
  { lastSequence, headTime, isCompared }: LogState & { isCompared: boolean },
): Promise<number> {
  const { orphaned, sources } = isCompared ? { orphaned: [], sources: [] } : await compare(tx, window)
  const orphans = orphaned.length === 0 ? [] : await listOrphans(tx, orphaned)
  const reverts = orphans.map(({ sequence, ...orphan }) => ({
    ...orphan,
    kind: 'reverted',
    source: null,
    transactionHash: null,
    logIndex: null,
    // `addresses` is empty, because the task that decides who sees them may be gone; the other parties find them.
    addresses: [],
    data: { sequence: sequence.toString() },
  }))
  if (orphaned.length > 0) await markReverted(tx, orphaned)
  const newEntries: Omit<EntryRow, 'sequence'>[] = []
  const rows = sources.length === 0 ? [] : await listRows(tx, window, { names: sourceNames, sources })
  const enteredOf = new Map<Hex, Hex[]>()
  const findEntered = async (taskId: Hex) => {
    const workers = enteredOf.get(taskId) ?? (await listEnteredWorkers(tx, taskId, WORKERS_AT_MOST))
    enteredOf.set(taskId, workers)
    return workers
  }
  const revealTimes = new Map<Hex, bigint>()
  for (const row of rows) {
    newEntries.push(...(await toEntries(row, findEntered)))
    if (row.name === 'BidSubmitted' && row.taskId !== null && row.sealedUntil !== null)
      revealTimes.set(row.taskId, row.sealedUntil)
  }
  for (const [taskId, revealTime] of revealTimes) await planReveal(tx, taskId, revealTime)
  const number = (entries: readonly Omit<EntryRow, 'sequence'>[], after: bigint) =>
    entries.map((entry, index) => ({ ...entry, sequence: after + BigInt(index + 1) }))
  const entries = number([...reverts, ...newEntries], lastSequence)
  await insertEntries(tx, entries)
  // Reveals name other entries, so they follow them.
  const head = { blockNumber: window.untilBlock, blockTimestamp: headTime }
  const reveals = number(await listReveals(tx, { made: newEntries, head }), lastSequence + BigInt(entries.length))
  await insertEntries(tx, reveals)
  return entries.length + reveals.length
}

/**
 * Compares the rows of a range of blocks with their entries. Returns the entries without a row (`orphaned`) and the
 * rows without an entry (`sources`).
 */
async function compare(tx: Transaction, window: Window): Promise<{ orphaned: bigint[]; sources: string[] }> {
  // The comparison runs in this process. A database plan would depend on table statistics, which are out of date while
  // the log grows.
  const keyOf = ({ source, blockNumber, transactionHash, logIndex }: EventPlace) =>
    `${source} ${blockNumber} ${transactionHash} ${logIndex}`
  const rows = new Map((await listRowPlaces(tx, window, sourceNames)).map((place) => [keyOf(place), place.source]))
  const entries = new Map<string, bigint[]>()
  for (const { sequence, ...place } of await listEntryPlaces(tx, window)) {
    entries.set(keyOf(place), [...(entries.get(keyOf(place)) ?? []), sequence])
  }
  return {
    orphaned: [...entries].flatMap(([key, sequences]) => (rows.has(key) ? [] : sequences)),
    sources: [...rows].flatMap(([key, source]) => (entries.has(key) ? [] : source)),
  }
}

async function toEntries(
  row: PlacedRow,
  findEntered: (taskId: Hex) => Promise<Hex[]>,
): Promise<Omit<EntryRow, 'sequence'>[]> {
  const { source, blockNumber, blockTimestamp, transactionHash, logIndex, taskId, taskParties } = row
  const entries = []
  for (const { kind, resource, worker, addresses, data, endsTask } of makeEvents(row)) {
    const workers = endsTask && taskId !== null ? await findEntered(taskId) : []
    const place = { blockNumber, blockTimestamp, transactionHash, logIndex }
    const about = { taskId, resource, worker, addresses, parties: taskParties, privateParties: workers }
    entries.push({ kind, source, data, ...place, ...about })
  }
  return entries
}

async function removeOld(sql: Database): Promise<void> {
  const state = await findLogState(sql)
  if (state === null) return
  await deleteOldEntries(sql, { before: state.headTime - RETENTION_SECONDS, most: REMOVED_AT_ONCE })
}

function minOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
