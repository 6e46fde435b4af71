import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import type { Deps } from '../deps.ts'
import type { Thing } from '../domain/access/access-table.ts'
import { type RowScope, scopeOf } from '../domain/visibility.ts'
import { ServiceError } from '../errors/service-error.ts'
import { identify } from '../identity/caller.ts'
import { findTaskGate, type TaskGate } from '../read-model/task-visibility.queries.ts'

/** A task that this request may see, and who asks. */
export interface VisibleTask {
  task: TaskGate
  /** Lower case; null: anonymous. */
  caller: Address | null
  /** Whose rows of the resource the caller sees. */
  scope: RowScope
}

/**
 * The gate in front of everything below a task: `thing` is what a route shows of it (api/domain/access).
 * @throws ServiceError 404, the same for a task that does not exist and one the caller may not see
 */
export async function getVisibleTask(deps: Deps, c: Context, taskId: Hex, thing: Thing = 'task'): Promise<VisibleTask> {
  const visible = await findVisibleTask(deps, c, taskId, thing)
  if (visible === null) throw unknownTask()
  return visible
}

/** The same for what answers null rather than 404. */
export async function findVisibleTask(
  deps: Deps,
  c: Context,
  taskId: Hex,
  thing: Thing = 'task',
): Promise<VisibleTask | null> {
  const [task, caller] = await Promise.all([findTaskGate(deps.sql, taskId), identify(c, deps).address()])
  if (task === null) return null
  const scope = scopeOf(thing, task, { address: caller, holdsGrant: await holdsGrant(deps, c, task) })
  return scope === null ? null : { task, caller, scope }
}

/**
 * The same for a wallet that proved itself otherwise than by the headers: that of a device.
 * @throws ServiceError 404 as `getVisibleTask`
 */
export async function getTaskVisibleTo(
  deps: Deps,
  wallet: Address,
  { taskId, thing }: { taskId: Hex; thing: Thing },
): Promise<VisibleTask> {
  const task = await findTaskGate(deps.sql, taskId)
  const scope = task && scopeOf(thing, task, { address: wallet, holdsGrant: false })
  if (task === null || scope === null) throw unknownTask()
  return { task, caller: wallet, scope }
}

/** The one answer for a task that is not there, or not for this caller. */
export function unknownTask(): ServiceError {
  return new ServiceError(404, 'unclassified', 'There is no task with this id that you may see.')
}

/** A grant ends with the password that gave it, and by the chain's time. */
async function holdsGrant(deps: Deps, c: Context, { id, passwordHash }: TaskGate): Promise<boolean> {
  if (passwordHash === null) return false
  const { timestamp: now } = await deps.chain.head()
  return identify(c, deps).holdsGrant({ taskId: id, passwordVersion: passwordHash }, now)
}
