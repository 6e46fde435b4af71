import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import type { Resource } from '../domain/access/access-table.ts'
import { type RowScope, scopeOf } from '../domain/visibility.ts'
import { ServiceError } from '../errors/service-error.ts'
import { type CallerDeps, identify } from '../identity/caller.ts'
import { findTaskAccess, type TaskAccess } from '../read-model/task-visibility.queries.ts'

/** A task that this request may see, and who asks. */
export interface VisibleTask {
  task: TaskAccess
  /** Lower case; null: anonymous. */
  caller: Address | null
  /** Whose rows of the resource the caller sees. */
  scope: RowScope
}

declare module 'hono' {
  interface ContextVariableMap {
    taskAccess: Map<Hex, Promise<TaskAccess | null>> | undefined
  }
}

/** Lets all parts of one answer share one statement about who may see their task. */
export function shareTaskAccess(c: Context): void {
  c.set('taskAccess', new Map())
}

/**
 * Admits a request to what is below a task: `resource` is what a route shows of it (api/domain/access).
 * @throws ServiceError 404, the same for a task that does not exist and one the caller may not see
 */
export async function getVisibleTask(
  deps: CallerDeps,
  c: Context,
  taskId: Hex,
  resource: Resource = 'task',
): Promise<VisibleTask> {
  const visible = await findVisibleTask(deps, c, taskId, resource)
  if (visible === null) throw unknownTask()
  return visible
}

/** The same for what answers null rather than 404. */
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
 * The same for a wallet that proved itself otherwise than by the headers: that of a device.
 * @throws ServiceError 404 as `getVisibleTask`
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
  const shared = c.get('taskAccess')
  const access = shared?.get(taskId) ?? findTaskAccess(sql, taskId)
  shared?.set(taskId, access)
  return access
}

/** The one answer for a task that is not there, or not for this caller. */
export function unknownTask(): ServiceError {
  return new ServiceError(404, 'unclassified', 'There is no task with this id that you may see.', {
    detail: 'task_not_found',
  })
}

/** A grant ends with the password that gave it, and by the chain's time. */
async function holdsGrant(deps: CallerDeps, c: Context, { id, passwordHash }: TaskAccess): Promise<boolean> {
  if (passwordHash === null) return false
  const { timestamp: now } = await deps.chain.head()
  return identify(c, deps).holdsGrant({ taskId: id, passwordVersion: passwordHash }, now)
}
