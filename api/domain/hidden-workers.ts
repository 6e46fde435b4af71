import type { TaskSnapshot } from './task-snapshot.ts'
import { isInScope, type RowScope } from './visibility.ts'

/**
 * The task as its offers may be shown to a caller who sees these submissions: the commands of offers name the only
 * worker with a submission, and who is not shown the submission is not told who made it.
 */
export function withoutHiddenWorkers(task: TaskSnapshot, scope: RowScope | null): TaskSnapshot {
  const { soleActiveWorker } = task
  if (soleActiveWorker === null || (scope !== null && isInScope(scope, soleActiveWorker))) return task
  return { ...task, soleActiveWorker: null }
}
