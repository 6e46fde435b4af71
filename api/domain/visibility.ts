import type { Address } from 'viem'
import { type SubmissionVisibility, submissionVisibilities } from '../../protocol/visibilities.ts'
import type { RowAccessFacts, TaskAccessFacts, Viewer } from './access/access-facts.ts'
import {
  type Relation,
  type Resource,
  recordPolicy,
  resourcePolicies,
  type Stage,
  type SubmissionScope,
  submissionPolicy,
  type TaskRight,
  taskPolicy,
} from './access/access-table.ts'

/**
 * The part of a task's rows that a caller may read. If `workers` is set, the caller may read only the rows of these
 * workers. If `workers` is absent, the caller may read all rows.
 */
export interface RowScope {
  workers?: Address[]
}

const rights: readonly TaskRight[] = ['none', 'view', 'act']
const scopes: readonly SubmissionScope[] = ['own', 'winners', 'all']

/**
 * Returns true if a caller may see a task. `address` is null for an anonymous caller. See the specification, "Events",
 * task visibility.
 */
export function canViewTask(task: TaskAccessFacts, address: Address | null, holdsGrant = false): boolean {
  return rightOf(task, { address, holdsGrant }) !== 'none'
}

/**
 * Returns true if the task's visibility lets the wallet act in the task. This function checks no rule except
 * visibility. See the specification, "Private access".
 */
export function canActOnTask(task: TaskAccessFacts, address: Address): boolean {
  return rightOf(task, { address, holdsGrant: false }) === 'act'
}

/**
 * Returns the scope in which the caller may read one resource of the task, such as its bids: all rows, or the rows of
 * certain workers. The table api/domain/access/access-table.ts decides. Returns null if the caller may not see the
 * task.
 */
export function scopeOf(resource: Resource, task: RowAccessFacts, viewer: Viewer): RowScope | null {
  if (rightOf(task, viewer) === 'none') return null
  return resourcePolicies[resource] === 'task' ? {} : submissionRowsOf(task, viewer.address)
}

/** Returns the scope of submissions that every caller may read if the caller may see the task. */
export function commonSubmissionRows(task: RowAccessFacts): RowScope {
  return submissionRowsOf(task, null)
}

/**
 * Returns the scope of submissions that the caller may read. The caller must be allowed to see the task. See the
 * specification, "Events", submission visibility gating.
 */
function submissionRowsOf(task: RowAccessFacts, caller: Address | null): RowScope {
  const callerRows = caller === null ? [] : [caller]
  switch (submissionScopeOf(task, caller)) {
    case 'all':
      return {}
    case 'winners':
      return { workers: [...new Set([...callerRows, ...task.awardedWorkers])] }
    case 'own':
      return { workers: callerRows }
  }
}

/**
 * Returns the submission visibilities under which every caller may read all submissions of a visible task. A list query
 * first filters by these visibilities, because this filter can use an index.
 */
export function listOpenVisibilities(stage: Stage): SubmissionVisibility[] {
  return submissionVisibilities.filter((visibility) => submissionPolicy[visibility][stage].anonymous === 'all')
}

/**
 * Returns true if a scope contains the rows of the worker. A scope is the part of a task's rows that a caller may read.
 */
export function isInScope({ workers }: RowScope, worker: Address): boolean {
  return workers === undefined || workers.includes(worker)
}

/**
 * Returns true if a worker's public record shows the worker's row of a task to the caller. A worker always sees the
 * worker's own rows. Every caller who is not the worker needs two rights: the right to read the row in the task, and
 * the right to find the task in lists and records (`isFound`).
 */
export function isShownInRecord(
  resource: Resource,
  task: RowAccessFacts,
  { worker, viewer }: { worker: Address; viewer: Viewer },
): boolean {
  const scope = scopeOf(resource, task, viewer)
  if (scope === null || !isInScope(scope, worker)) return false
  return viewer.address === worker || isFound(task, viewer)
}

/**
 * Returns true if lists and records show the task to the caller. The caller must be allowed to see the task. If the
 * result is false, the caller can still read the task by its id.
 */
export function isFound(task: TaskAccessFacts, viewer: Viewer): boolean {
  const policy = recordPolicy[task.taskVisibility]
  return relationsOf(task, viewer).some((relation) => policy[relation])
}

/** Returns the caller's right on the task. Of the rights that the caller's roles give, the highest counts. */
function rightOf(task: TaskAccessFacts, viewer: Viewer): TaskRight {
  const grantedRights = relationsOf(task, viewer).map((relation) => taskPolicy[task.taskVisibility][relation])
  return mostOf(rights, grantedRights)
}

function submissionScopeOf(task: RowAccessFacts, address: Address | null): SubmissionScope {
  const policy = submissionPolicy[task.submissionVisibility][stageOf(task)]
  return mostOf(
    scopes,
    relationsOf(task, { address, holdsGrant: false }).map((relation) => policy[relation]),
  )
}

/** Returns the stage of a task. A cancelled task is `ended` only if its verdict is `reject`. */
function stageOf({ status, verdict }: RowAccessFacts): Stage {
  if (status === 'completed' || status === 'expired') return 'ended'
  return status === 'cancelled' && verdict === 'reject' ? 'ended' : 'active'
}

/** Returns the highest item of `items`; `order` lists all items from lowest to highest. */
function mostOf<Item>(order: readonly Item[], items: readonly Item[]): Item {
  const highest = order.findLast((item) => items.includes(item))
  if (highest === undefined) throw new Error('every caller has a relation to a task')
  return highest
}

/** Returns all roles of the caller in a task. Every caller has the role `anonymous`. */
function relationsOf(task: TaskAccessFacts, { address, holdsGrant }: Viewer): Relation[] {
  const callerRoles: Relation[] = ['anonymous']
  if (holdsGrant) callerRoles.push('grant_holder')
  if (address === null) return callerRoles
  callerRoles.push('wallet')
  if (address === task.requester) callerRoles.push('requester')
  if (address === task.evaluator) callerRoles.push('evaluator')
  if (address === task.disputeResolver) callerRoles.push('resolver')
  if (task.participants.includes(address)) callerRoles.push('participant')
  if (task.viewers.includes(address)) callerRoles.push('viewer')
  return callerRoles
}
