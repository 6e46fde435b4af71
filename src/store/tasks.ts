import type { Hex } from 'viem'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { getEventAbi, toEventArgsJson } from '../../protocol/rules/event-args.ts'
import { toTaskEventId } from '../../protocol/rules/row-ids.ts'
import { taskEvent } from '../schema/history.ts'
import { task } from '../schema/task.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import { traceTask } from './relays.ts'
import type { Store } from './store.ts'
import { endTaskEntries } from './task-entries.ts'

export type TaskRow = typeof task.$inferSelect

/** The columns of a task that an event may change: identity, order and history are not among them. */
export type TaskPatch = Partial<Omit<TaskRow, 'id' | 'requester' | 'createdAtMs' | 'eventCount'>>

export interface TaskEventRecord {
  event: PositionedEvent & { args: Readonly<Record<string, unknown>> }
  /** The Solidity name of the event. */
  name: string
  /** Who the event is about; null when it names no account. */
  subject: Hex | null
  /** Base units that it moves, as `task_event.amount` has them; zero or absent: none. */
  amount?: bigint
  /** What the event changes in the task's own row. */
  patch?: TaskPatch
}

/** The task of a log. @throws when it was never created: the market logs of a task it does not have */
export async function getTask(store: Store, taskId: Hex): Promise<TaskRow> {
  const row = await store.find(task, { id: taskId })
  if (row === null) throw new Error(`no task ${taskId}`)
  return row
}

/**
 * Writes what an event did to a task: its changed columns, and the event itself into the task's history. Every handler
 * of a task's event goes through here, so that the history is complete.
 */
export async function recordTaskEvent(store: Store, row: TaskRow, record: TaskEventRecord): Promise<void> {
  const { event, name, subject, amount = 0n, patch = {} } = record
  // Of several awards the first ends the task.
  if (row.endedAt === null && patch.endedAt != null) await endTaskEntries(store, row)
  await store.update(task, { id: row.id }).set({ ...patch, eventCount: row.eventCount + 1 })
  await store.insert(taskEvent).values({
    id: toTaskEventId(row.id, row.eventCount),
    taskId: row.id,
    ordinal: row.eventCount,
    name,
    subject,
    statusAfter: patch.status ?? row.status,
    args: toEventArgsJson(getEventAbi(taskMarketAbi, name), event.args, ['taskId']),
    amount: amount === 0n ? null : amount,
    ...positionOf(event),
  })
  await traceTask(store, event, row.id)
}
