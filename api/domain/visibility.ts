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

/** Whose rows a caller sees; without `workers` all. */
export interface RowScope {
  workers?: Address[]
}

const rights: readonly TaskRight[] = ['none', 'view', 'act']
const scopes: readonly SubmissionScope[] = ['own', 'winners', 'all']

/** Whether a caller may see a task at all; null: anonymous. Spec, "Events", task visibility. */
export function canViewTask(task: TaskAccessFacts, address: Address | null, holdsGrant = false): boolean {
  return rightOf(task, { address, holdsGrant }) !== 'none'
}

/** Whether a wallet may take part in a task, as far as it depends on who may see it. Spec, "Private access". */
export function canActOnTask(task: TaskAccessFacts, address: Address): boolean {
  return rightOf(task, { address, holdsGrant: false }) === 'act'
}

/**
 * Whose rows of a kind a caller sees, of a task that the caller may see; null: none. All of it follows from the table.
 */
export function scopeOf(resource: Resource, task: RowAccessFacts, viewer: Viewer): RowScope | null {
  if (rightOf(task, viewer) === 'none') return null
  return resourcePolicies[resource] === 'task' ? {} : submissionRowsOf(task, viewer.address)
}

/** Whose submissions every caller sees who may see the task at all. */
export function commonSubmissionRows(task: RowAccessFacts): RowScope {
  return submissionRowsOf(task, null)
}

/** Whose submissions a caller sees, of a task that the caller may see. Spec, "Events", submission visibility gating. */
function submissionRowsOf(task: RowAccessFacts, caller: Address | null): RowScope {
  const own = caller === null ? [] : [caller]
  switch (submissionScopeOf(task, caller)) {
    case 'all':
      return {}
    case 'winners':
      return { workers: [...new Set([...own, ...task.awardedWorkers])] }
    case 'own':
      return { workers: own }
  }
}

/**
 * The submission visibilities by which every caller sees all submissions of a task that every caller sees: what a list
 * of tasks reads its index with, before the policy itself is applied.
 */
export function listOpenVisibilities(stage: Stage): SubmissionVisibility[] {
  return submissionVisibilities.filter((visibility) => submissionPolicy[visibility][stage].anonymous === 'all')
}

/** Whether a scope takes in the rows of one worker. */
export function isInScope({ workers }: RowScope, worker: Address): boolean {
  return workers === undefined || workers.includes(worker)
}

/**
 * Whether a caller is shown a worker's row of a task in that worker's record: what the caller would see below the task
 * itself, and of a task that the caller may find there. A worker sees their own rows.
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

/** Says whether a caller is shown a task that it may see where it did not ask for this one. */
export function isFound(task: TaskAccessFacts, viewer: Viewer): boolean {
  const policy = recordPolicy[task.taskVisibility]
  return relationsOf(task, viewer).some((relation) => policy[relation])
}

/** The most that any role of the caller gives. */
function rightOf(task: TaskAccessFacts, viewer: Viewer): TaskRight {
  const given = relationsOf(task, viewer).map((relation) => taskPolicy[task.taskVisibility][relation])
  return mostOf(rights, given)
}

function submissionScopeOf(task: RowAccessFacts, address: Address | null): SubmissionScope {
  const policy = submissionPolicy[task.submissionVisibility][stageOf(task)]
  return mostOf(
    scopes,
    relationsOf(task, { address, holdsGrant: false }).map((relation) => policy[relation]),
  )
}

/** Of a cancelled task only the one that a verdict rejected has ended: every worker delivered what there was. */
function stageOf({ status, verdict }: RowAccessFacts): Stage {
  if (status === 'completed' || status === 'expired') return 'ended'
  return status === 'cancelled' && verdict === 'reject' ? 'ended' : 'active'
}

/** The last of an ascending order that is given. */
function mostOf<Item>(ascending: readonly Item[], given: readonly Item[]): Item {
  const most = ascending.findLast((item) => given.includes(item))
  if (most === undefined) throw new Error('every caller has a relation to a task')
  return most
}

/** Everything a caller is to a task; `anonymous` in any case. */
function relationsOf(task: TaskAccessFacts, { address, holdsGrant }: Viewer): Relation[] {
  const found: Relation[] = ['anonymous']
  if (holdsGrant) found.push('grant_holder')
  if (address === null) return found
  found.push('wallet')
  if (address === task.requester) found.push('requester')
  if (address === task.evaluator) found.push('evaluator')
  if (address === task.disputeResolver) found.push('resolver')
  if (task.participants.includes(address)) found.push('participant')
  if (task.viewers.includes(address)) found.push('viewer')
  return found
}
