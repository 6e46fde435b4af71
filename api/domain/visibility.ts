import type { Address } from 'viem'
import type { RowAccessFacts, TaskAccessFacts, Viewer } from './access/access-facts.ts'
import {
  type Reach,
  recordGate,
  rowsGate,
  type Stage,
  type TaskRight,
  type Thing,
  taskGate,
  thingGates,
} from './access/access-table.ts'
import { relationsOf } from './access/relations-of.ts'
import { type SubmissionVisibility, submissionVisibilities } from './creation/creation-terms.ts'

/** Whose rows a caller sees; without `workers` all. */
export interface RowScope {
  workers?: Address[]
}

const rights: readonly TaskRight[] = ['none', 'view', 'act']
const reaches: readonly Reach[] = ['own', 'winners', 'all']

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
export function scopeOf(thing: Thing, task: RowAccessFacts, viewer: Viewer): RowScope | null {
  if (rightOf(task, viewer) === 'none') return null
  return thingGates[thing] === 'task' ? {} : submissionRowsOf(task, viewer.address)
}

/** Whose submissions every caller sees who may see the task at all. */
export function commonSubmissionRows(task: RowAccessFacts): RowScope {
  return submissionRowsOf(task, null)
}

/** Whose submissions a caller sees, of a task that the caller may see. Spec, "Events", submission visibility gating. */
function submissionRowsOf(task: RowAccessFacts, caller: Address | null): RowScope {
  const own = caller === null ? [] : [caller]
  switch (reachOf(task, caller)) {
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
 * of tasks reads its index with, before the gate itself is asked.
 */
export function listOpenVisibilities(stage: Stage): SubmissionVisibility[] {
  return submissionVisibilities.filter((visibility) => rowsGate[visibility][stage].anonymous === 'all')
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
  thing: Thing,
  task: RowAccessFacts,
  { worker, viewer }: { worker: Address; viewer: Viewer },
): boolean {
  const scope = scopeOf(thing, task, viewer)
  if (scope === null || !isInScope(scope, worker)) return false
  const gate = recordGate[task.taskVisibility]
  return viewer.address === worker || relationsOf(task, viewer).some((relation) => gate[relation])
}

/** The most that any role of the caller gives. */
function rightOf(task: TaskAccessFacts, viewer: Viewer): TaskRight {
  const given = relationsOf(task, viewer).map((relation) => taskGate[task.taskVisibility][relation])
  return mostOf(rights, given)
}

function reachOf(task: RowAccessFacts, address: Address | null): Reach {
  const gate = rowsGate[task.submissionVisibility][stageOf(task)]
  return mostOf(
    reaches,
    relationsOf(task, { address, holdsGrant: false }).map((relation) => gate[relation]),
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
  if (most === undefined) throw new Error('every caller is something to a task')
  return most
}
