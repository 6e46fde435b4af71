import type { Address, Hex } from 'viem'
import { toTaskWorkerId } from '../../protocol/rules/row-ids.ts'
import { taskEntry } from '../schema/submission.ts'
import { task } from '../schema/task.ts'
import type { Store } from './store.ts'

export type TaskEntryRow = typeof taskEntry.$inferSelect

/** What an entry takes over from its task. */
type EnteredTask = Pick<typeof task.$inferSelect, 'id' | 'createdAtMs' | 'endedAt' | 'lastEntryId'>

/** A worker's part in a task. @throws when it never took part: the market logs of a worker it does not know */
export async function getTaskEntry(store: Store, taskId: Hex, worker: Address): Promise<TaskEntryRow> {
  const row = await findTaskEntry(store, taskId, worker)
  if (row === null) throw new Error(`${worker} has no entry in task ${taskId}`)
  return row
}

/** A worker's part in a task, created at its first pitch, bid or submission. */
export async function ensureTaskEntry(store: Store, entered: EnteredTask, worker: Address): Promise<TaskEntryRow> {
  const found = await findTaskEntry(store, entered.id, worker)
  if (found !== null) return found
  const entry = await store.insert(taskEntry).values(newTaskEntry(entered, worker))
  await store.update(task, { id: entered.id }).set({ lastEntryId: entry.id })
  return entry
}

/** The task has ended, and so have all its entries. Each is visited once in its life. */
export async function endTaskEntries(store: Store, { lastEntryId }: EnteredTask): Promise<void> {
  for (let id = lastEntryId; id !== null; ) {
    const ended = await store.update(taskEntry, { id }).set({ running: false })
    id = ended.previousEntryId
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
