import { loadTaskSnapshots } from '../../db/task-snapshot.ts'
import type { Deps } from '../../deps.ts'
import { listPendingActions } from '../../domain/pending-actions.ts'
import type { TaskRow } from './task-row.ts'
import { toTask } from './tasks.mapper.ts'
import type { Task } from './tasks.schemas.ts'

/** Rows as they go out, each with what may be done now: one more statement, however many rows. */
export async function toTasks(deps: Deps, rows: readonly TaskRow[], now: bigint): Promise<Task[]> {
  const snapshots = await loadTaskSnapshots(
    deps.sql,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const snapshot = snapshots.get(row.id)
    return toTask(row, snapshot ? listPendingActions(snapshot, now) : [], now)
  })
}
