import type { Address, Hex } from 'viem'
import { toTaskWorkerId } from '../../protocol/rules/row-ids.ts'
import { taskEntry } from '../schema/submission.ts'
import { task } from '../schema/task.ts'
import type { Store } from './store.ts'

export type TaskEntryRow = typeof taskEntry.$inferSelect

/** The columns of a task's row that the functions in this file read. */
type EnteredTask = Pick<typeof task.$inferSelect, 'id' | 'createdAtMs' | 'endedAt' | 'lastEntryId'>

/** Returns the entry of a worker who pitched, bid or submitted in a task. @throws if the worker has no entry */
export async function getTaskEntry(store: Store, taskId: Hex, worker: Address): Promise<TaskEntryRow> {
  const row = await findTaskEntry(store, taskId, worker)
  if (row === null) throw new Error(`${worker} has no entry in task ${taskId}`)
  return row
}

/**
 * Changes a worker's entry in a task. The worker's first pitch, bid or submission creates the entry.
 * @returns the entry as it was before the change
 */
export async function enterTask(
  store: Store,
  { entered, worker }: { entered: EnteredTask; worker: Address },
  change: (entry: TaskEntryRow) => Partial<TaskEntryRow>,
): Promise<TaskEntryRow> {
  const storedEntry = await findTaskEntry(store, entered.id, worker)
  if (storedEntry !== null) {
    await store.update(taskEntry, { id: storedEntry.id }).set(change(storedEntry))
    return storedEntry
  }
  const entry = newTaskEntry(entered, worker)
  await store.insert(taskEntry).values({ ...entry, ...change(entry) })
  await store.update(task, { id: entered.id }).set({ lastEntryId: entry.id })
  return entry
}

/** Marks all entries of an ended task as no longer running. */
export async function endTaskEntries(store: Store, { lastEntryId }: EnteredTask): Promise<void> {
  for (let id = lastEntryId; id !== null; ) {
    const endedEntry = await store.update(taskEntry, { id }).set({ running: false })
    id = endedEntry.previousEntryId
  }
}

async function findTaskEntry(store: Store, taskId: Hex, worker: Address): Promise<TaskEntryRow | null> {
  return store.find(taskEntry, { id: toTaskWorkerId(taskId, worker) })
}

function newTaskEntry({ id, createdAtMs, endedAt, lastEntryId }: EnteredTask, worker: Address): TaskEntryRow {
  return {
    id: toTaskWorkerId(id, worker),
    taskId: id,
    worker,
    submissionCount: 0,
    activeSubmissionCount: 0,
    rejected: false,
    awarded: false,
    rated: false,
    pitched: false,
    bid: null,
    lastSubmissionId: null,
    taskCreatedAtMs: createdAtMs,
    running: endedAt === null,
    listed: false,
    previousEntryId: lastEntryId,
  }
}
