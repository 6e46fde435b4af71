import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import { findTaskGate, type TaskGate } from '../db/task-gate.queries.ts'
import type { Deps } from '../deps.ts'
import { canViewTask } from '../domain/visibility.ts'
import { callerOf } from './caller.ts'
import { ServiceError } from './service-error.ts'

/** A task that this request may see, and who asks. */
export interface VisibleTask {
  task: TaskGate
  /** Lower case; null: anonymous. */
  caller: Address | null
}

/**
 * The gate in front of everything below a task.
 * @throws ServiceError 404, the same for a task that does not exist and one the caller may not see
 */
export async function getVisibleTask(deps: Deps, c: Context, taskId: Hex): Promise<VisibleTask> {
  const [task, caller] = await Promise.all([findTaskGate(deps.sql, taskId), callerOf(c, deps)])
  if (task === null || !canViewTask(task, caller)) {
    throw new ServiceError(404, 'unclassified', 'There is no task with this id that you may see.')
  }
  return { task, caller }
}
