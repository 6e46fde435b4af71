import type { TaskSnapshot } from './task-snapshot.ts'
import { isInScope, type RowScope } from './visibility.ts'

/**
 * Returns the task without its sole active worker's address, unless the caller may see that worker's submissions. The
 * commands of pending actions contain the address, and would disclose who submitted.
 */
export function withoutHiddenWorkers(task: TaskSnapshot, scope: RowScope | null): TaskSnapshot {
  const { soleActiveWorker } = task
  if (soleActiveWorker === null || (scope !== null && isInScope(scope, soleActiveWorker))) return task
  return { ...task, soleActiveWorker: null }
}
