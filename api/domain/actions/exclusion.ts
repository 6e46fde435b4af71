import type { ActionName } from '../../../protocol/actions.ts'
import { operations } from '../../../protocol/operations.ts'
import { statusMoves, type TaskStatus } from '../../../protocol/rules/task-status.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import type { AdmissionRule } from './action-rule.ts'
import { actionRules, findRule } from './action-rules.ts'

const entries: readonly { name: string; action?: ActionName }[] = Object.values(operations)
const actionsByOperation: ReadonlyMap<string, ActionName> = new Map(
  entries.flatMap(({ name, action }) => (action === undefined ? [] : [[name, action]])),
)

/**
 * Finds the action that is being mined and after which the rule admits nothing any more; undefined: none. Which actions exclude
 * one another follows from the rules' statuses and from the events by which they move a task. Example: `claim` while another
 * claim of the task is being mined.
 */
export function findExclusion(
  rule: Pick<AdmissionRule<never>, 'statuses'>,
  task: TaskSnapshot,
): ActionName | undefined {
  const actions = (task.beingMined ?? []).flatMap((operation) => actionsByOperation.get(operation) ?? [])
  return actions.find((action) => {
    const moving = findRule(action, task)
    return moving !== undefined && leaves(moving, task.status, rule.statuses)
  })
}

/**
 * Says whether a write of the operation is the last of its kind in every kind of task: of several at once, one succeeds. Example:
 * a claim, but not a submission, of which a contest takes many.
 */
export function excludesItself(operation: string): boolean {
  const action = actionsByOperation.get(operation)
  if (action === undefined) return false
  return actionRules[action].every((rule) => rule.statuses.every((status) => leaves(rule, status, rule.statuses)))
}

/** Says whether the action of a rule gives a task of the status another one, and none of `statuses`. */
function leaves(
  { moves = [] }: Pick<AdmissionRule<never>, 'moves'>,
  status: TaskStatus,
  statuses: readonly TaskStatus[],
): boolean {
  const pairs = moves.flatMap((event): readonly (readonly [TaskStatus, TaskStatus])[] => statusMoves[event])
  const next = pairs.flatMap(([before, after]) => (before === status ? [after] : []))
  return next.length > 0 && !next.some((after) => statuses.includes(after))
}
