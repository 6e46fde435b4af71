import type { TaskSnapshot } from './task-snapshot.ts'
import { isInScope, type RowScope } from './visibility.ts'

/**
 * Returns the task without the name of its sole active worker, unless the caller sees that worker's submissions.
 * Commands of offers contain the name, and would disclose who submitted.
 */
export function withoutHiddenWorkers(task: TaskSnapshot, scope: RowScope | null): TaskSnapshot {
  const { soleActiveWorker } = task
  if (soleActiveWorker === null || (scope !== null && isInScope(scope, soleActiveWorker))) return task
  return { ...task, soleActiveWorker: null }
}
