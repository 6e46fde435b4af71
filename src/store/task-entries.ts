import type { Address, Hex } from 'viem'
import { toTaskWorkerId } from '../rules/row-ids.ts'
import { taskEntry } from '../schema/submission.ts'
import type { Store } from './store.ts'

export type TaskEntryRow = typeof taskEntry.$inferSelect

/** A worker's part in a task. @throws when it never took part: the market logs of a worker it does not know */
export async function getTaskEntry(store: Store, taskId: Hex, worker: Address): Promise<TaskEntryRow> {
  const row = await findTaskEntry(store, taskId, worker)
  if (row === null) throw new Error(`${worker} has no entry in task ${taskId}`)
  return row
}

/** A worker's part in a task, created at its first pitch, bid or submission. */
export async function ensureTaskEntry(store: Store, taskId: Hex, worker: Address): Promise<TaskEntryRow> {
  return (await findTaskEntry(store, taskId, worker)) ?? store.insert(taskEntry).values(newTaskEntry(taskId, worker))
}

async function findTaskEntry(store: Store, taskId: Hex, worker: Address): Promise<TaskEntryRow | null> {
  return store.find(taskEntry, { id: toTaskWorkerId(taskId, worker) })
}

function newTaskEntry(taskId: Hex, worker: Address): TaskEntryRow {
  return {
    id: toTaskWorkerId(taskId, worker),
    taskId,
    worker,
    submissionCount: 0,
    activeSubmissionCount: 0,
    rejected: false,
    awarded: false,
    rated: false,
    pitched: false,
    bid: null,
    lastSubmissionId: null,
  }
}
