import type { TaskSnapshot } from './task-snapshot.ts'
import { isInScope, type RowScope } from './visibility.ts'

/**
 * Returns the task without the address of the sole active worker, if the caller may not see that worker's submissions.
 * The address would be in the commands of pending actions.
 */
export function withoutHiddenWorkers(task: TaskSnapshot, scope: RowScope | null): TaskSnapshot {
  const { soleActiveWorker } = task
  if (soleActiveWorker === null || (scope !== null && isInScope(scope, soleActiveWorker))) return task
  return { ...task, soleActiveWorker: null }
}
