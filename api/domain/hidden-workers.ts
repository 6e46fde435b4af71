import type { TaskSnapshot } from './task-snapshot.ts'
import { isInScope, type RowScope } from './visibility.ts'

/**
 * Returns the task as the caller may see it. If the caller may not see the submissions of the worker
 * `soleActiveWorker`, the field `soleActiveWorker` is null in the result. With the worker's address in the field, the
 * commands of the task's pending actions would disclose the address.
 */
export function withoutHiddenWorkers(task: TaskSnapshot, scope: RowScope | null): TaskSnapshot {
  const { soleActiveWorker } = task
  if (soleActiveWorker === null || (scope !== null && isInScope(scope, soleActiveWorker))) return task
  return { ...task, soleActiveWorker: null }
}
