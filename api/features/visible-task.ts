import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import type { Resource } from '../domain/access/access-table.ts'
import { type RowScope, scopeOf } from '../domain/visibility.ts'
import { ServiceError } from '../errors/service-error.ts'
import { type CallerDeps, identify } from '../identity/caller.ts'
import { findTaskAccess, type TaskAccess } from '../read-model/task-visibility.queries.ts'

/** The caller of a request, and a task that this caller may see. */
export interface VisibleTask {
  task: TaskAccess
  /** The caller's address in lower case, or null if the caller is anonymous. */
  caller: Address | null
  /** The workers whose rows (such as submissions) the caller may see. */
  scope: RowScope
}

declare module 'hono' {
  interface ContextVariableMap {
    taskAccess: Map<Hex, Promise<TaskAccess | null>> | undefined
  }
}

/**
 * Lets all parts of an answer use one query for the access facts of a task (`TaskAccess`). Without this call, each part
 * makes its own query.
 */
export function shareTaskAccess(c: Context): void {
  c.set('taskAccess', new Map())
}

/**
 * Returns the task of a request if the caller may see the rows of the kind `resource` (api/domain/access).
 * @throws ServiceError 404 if the task does not exist, or if the caller may not see these rows. The answer is the same
 * in both cases
 */
export async function getVisibleTask(
  deps: CallerDeps,
  c: Context,
  taskId: Hex,
  resource: Resource = 'task',
): Promise<VisibleTask> {
  const visibleTask = await findVisibleTask(deps, c, taskId, resource)
  if (visibleTask === null) throw unknownTask()
  return visibleTask
}

/** Returns the task of a request as `getVisibleTask` does, but returns null instead of throwing a 404. */
export async function findVisibleTask(
  deps: CallerDeps,
  c: Context,
  taskId: Hex,
  resource: Resource = 'task',
): Promise<VisibleTask | null> {
  const [task, caller] = await Promise.all([findSharedAccess(deps, c, taskId), identify(c, deps).address()])
  if (task === null) return null
  const scope = scopeOf(resource, task, { address: caller, holdsGrant: await holdsGrant(deps, c, task) })
  return scope === null ? null : { task, caller, scope }
}

/**
 * Returns a task if a wallet may see it. The wallet is proven by other means than request headers, for example by a
 * device.
 * @throws ServiceError 404, as `getVisibleTask`
 */
export async function getTaskVisibleTo(
  deps: CallerDeps,
  wallet: Address,
  { taskId, resource }: { taskId: Hex; resource: Resource },
): Promise<VisibleTask> {
  const task = await findTaskAccess(deps.sql, taskId)
  const scope = task && scopeOf(resource, task, { address: wallet, holdsGrant: false })
  if (task === null || scope === null) throw unknownTask()
  return { task, caller: wallet, scope }
}

function findSharedAccess({ sql }: CallerDeps, c: Context, taskId: Hex): Promise<TaskAccess | null> {
  const sharedAccess = c.get('taskAccess')
  const access = sharedAccess?.get(taskId) ?? findTaskAccess(sql, taskId)
  sharedAccess?.set(taskId, access)
  return access
}

/**
 * Returns the error 404 for a task that does not exist or is hidden from the caller. The answer is the same in both
 * cases.
 */
export function unknownTask(): ServiceError {
  return new ServiceError(404, 'unclassified', 'There is no task with this id that you may see.', {
    detail: 'task_not_found',
  })
}

/**
 * Returns true if the request has a valid grant for the task. A grant is valid until the task's password changes or the
 * block time reaches the grant's end.
 */
async function holdsGrant(deps: CallerDeps, c: Context, { id, passwordHash }: TaskAccess): Promise<boolean> {
  if (passwordHash === null) return false
  const { timestamp: now } = await deps.chain.head()
  return identify(c, deps).holdsGrant({ taskId: id, passwordVersion: passwordHash }, now)
}
