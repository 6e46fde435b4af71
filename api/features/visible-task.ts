import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import type { Resource } from '../domain/access/access-table.ts'
import { type RowScope, scopeOf } from '../domain/visibility.ts'
import { ServiceError } from '../errors/service-error.ts'
import { type CallerDeps, identify } from '../identity/caller.ts'
import { findTaskAccess, type TaskAccess } from '../read-model/task-visibility.queries.ts'

/** A task that this request may see, and its caller. */
export interface VisibleTask {
  task: TaskAccess
  /** The caller in lower case; null: anonymous. */
  caller: Address | null
  /** The rows of the resource that the caller sees. */
  scope: RowScope
}

declare module 'hono' {
  interface ContextVariableMap {
    taskAccess: Map<Hex, Promise<TaskAccess | null>> | undefined
  }
}

/** Shares one access statement among all parts of one answer. */
export function shareTaskAccess(c: Context): void {
  c.set('taskAccess', new Map())
}

/**
 * Admits a request below a task. `resource`: the kind of rows that the route shows (api/domain/access).
 * @throws ServiceError 404, the same for a missing task and an invisible one
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

/** Admits a request like `getVisibleTask`, and returns null instead of a 404. */
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
 * Admits a wallet that proved itself otherwise than by headers, such as a device's.
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

/** Returns the 404 of a task that is missing or invisible to the caller. */
export function unknownTask(): ServiceError {
  return new ServiceError(404, 'unclassified', 'There is no task with this id that you may see.', {
    detail: 'task_not_found',
  })
}

/** Returns true for a valid grant. A grant ends with the password that gave it, and by the chain's time. */
async function holdsGrant(deps: CallerDeps, c: Context, { id, passwordHash }: TaskAccess): Promise<boolean> {
  if (passwordHash === null) return false
  const { timestamp: now } = await deps.chain.head()
  return identify(c, deps).holdsGrant({ taskId: id, passwordVersion: passwordHash }, now)
}
