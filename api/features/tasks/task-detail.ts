import type { Address, Hex } from 'viem'
import type { Deps } from '../../deps.ts'
import { canViewTask } from '../../domain/visibility.ts'
import { toTasks } from './task-pages.ts'
import { toTaskDetail } from './tasks.mapper.ts'
import { findTask, listAwards } from './tasks.queries.ts'
import type { TaskDetail } from './tasks.schemas.ts'

/** A task in full, as this caller may see it; null when there is none, or none for him. Addresses lower case. */
export async function findTaskDetail(deps: Deps, taskId: Hex, caller: Address | null): Promise<TaskDetail | null> {
  const [row, awards, head] = await Promise.all([
    findTask(deps.sql, taskId),
    listAwards(deps.sql, taskId),
    deps.chain.head(),
  ])
  if (row === null) return null
  const gate = {
    requester: row.requester,
    taskVisibility: row.taskVisibility ?? 'unlisted',
    awardedWorkers: awards.map(({ worker }) => worker),
  }
  if (!canViewTask(gate, caller)) return null
  const [task] = await toTasks(deps, [row], head.timestamp)
  return task === undefined ? null : toTaskDetail(task, row, awards)
}
