import { toSnapshot } from '../../db/task-snapshot.ts'
import { listPendingActions } from '../../domain/pending-actions.ts'
import type { TaskRow } from './task-row.ts'
import { toTask } from './tasks.mapper.ts'
import type { Task } from './tasks.schemas.ts'

/** Rows as they go out, each with what may be done at `now` (chain head's time, Unix seconds). */
export function toTasks(rows: readonly TaskRow[], now: bigint): Task[] {
  return rows.map((row) => toTask(row, listPendingActions(toSnapshot(row), now), now))
}
