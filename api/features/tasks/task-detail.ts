import type { Hex } from 'viem'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { toTasks } from './task-pages.ts'
import { toTaskDetail } from './tasks.mapper.ts'
import { findTask, listAwards } from './tasks.queries.ts'
import type { TaskDetail } from './tasks.schemas.ts'

/** A task in full, for any caller; null when there is none of that id. */
export async function findTaskDetail(deps: WriteDeps, taskId: Hex): Promise<TaskDetail | null> {
  const [row, awards, head] = await Promise.all([
    findTask(deps.sql, taskId),
    listAwards(deps.sql, taskId),
    deps.chain.head(),
  ])
  if (row === null) return null
  const [task] = toTasks([row], { now: head.timestamp, serviceName: deps.config.SERVICE_NAME })
  return task === undefined ? null : toTaskDetail(task, row, awards)
}
