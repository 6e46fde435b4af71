import { type Hex, hexToBytes } from 'viem'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { type EventArgs, getEventAbi } from '../../protocol/rules/event-args.ts'
import { layOutArgs, packArgs } from '../../protocol/rules/packed-args.ts'
import { parseTaskStatus, taskStatuses } from '../../protocol/rules/task-status.ts'
import { taskEventNames, taskHistory } from '../schema/history.ts'
import { task } from '../schema/task.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import { traceTask } from './relays.ts'
import type { Store } from './store.ts'
import { endTaskEntries } from './task-entries.ts'

export type TaskRow = typeof task.$inferSelect

/**
 * The columns of a task that an event may change. Excluded are the id, the requester, the creation time and the number
 * of events.
 */
export type TaskPatch = Partial<Omit<TaskRow, 'id' | 'requester' | 'createdAtMs' | 'eventCount'>>

/** The Solidity name of an event of a task. */
export type TaskEventName = (typeof taskEventNames)[number]

const layouts = new Map(taskEventNames.map((name) => [name, layOutArgs(getEventAbi(taskMarketAbi, name))]))

export interface TaskEventRecord {
  event: PositionedEvent & { args: EventArgs }
  name: TaskEventName
  /** Account that the event is about; null if the event names no account. */
  subject: Hex | null
  /**
   * Amount that the event moves, in USDC base units, as in `task_event.amount`. Zero or absent if the event moves
   * nothing.
   */
  amount?: bigint
  /** New values for the columns of the task's row that the event changes; absent if there are no new values. */
  patch?: TaskPatch
}

/**
 * Returns the row of a task. Every task in a log has a row, because TaskCreated is its first event.
 * @throws if the task has no row
 */
export async function getTask(store: Store, taskId: Hex): Promise<TaskRow> {
  const row = await store.find(task, { id: taskId })
  if (row === null) throw new Error(`no task ${taskId}`)
  return row
}

/**
 * Stores an event of a task: changes the task's row and adds a row to the task's history. Every handler of a task event
 * except TaskCreated must call this function.
 */
export async function recordTaskEvent(store: Store, row: TaskRow, record: TaskEventRecord): Promise<void> {
  const { patch = {} } = record
  // The first of several awards ends the task.
  if (row.endedAt === null && patch.endedAt != null) await endTaskEntries(store, row)
  await store.update(task, { id: row.id }).set({ ...patch, eventCount: row.eventCount + 1 })
  await insertHistory(store, { ...row, ...patch }, record)
}

/** Stores a new task and the event of its creation. */
export async function recordCreation(
  store: Store,
  values: Omit<TaskRow, 'eventCount'>,
  record: Omit<TaskEventRecord, 'patch'>,
): Promise<void> {
  await store.insert(task).values({ ...values, eventCount: 1 })
  await insertHistory(store, { ...values, eventCount: 0 }, record)
}

/**
 * Inserts an event into the task's history, with the ordinal `row.eventCount`.
 * @param row the task's row after the event, except that `row.eventCount` is still the number before the event
 */
async function insertHistory(store: Store, row: TaskRow, record: TaskEventRecord): Promise<void> {
  const { event, name, subject, amount = 0n } = record
  const layout = layouts.get(name)
  if (layout === undefined) throw new Error(`${name} is no event of a task`)
  const { transactionHash, ...place } = positionOf(event)
  await store.insert(taskHistory).values({
    taskCreatedAtMs: row.createdAtMs,
    ordinal: row.eventCount,
    code: taskEventNames.indexOf(name),
    statusCode: taskStatuses.indexOf(parseTaskStatus(row.status)),
    subjectBytes: subject === null ? null : hexToBytes(subject),
    amount: amount === 0n ? null : amount,
    transactionBytes: hexToBytes(transactionHash),
    ...packArgs(layout, event.args, subject),
    ...place,
  })
  await traceTask(store, event, row.id)
}
