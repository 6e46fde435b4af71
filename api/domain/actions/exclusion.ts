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
 * Finds an action that is being mined on the task and after which the action of `rule` is impossible, because the task
 * will have a status that `rule` does not allow. Returns the name of the found action, or undefined if there is none.
 * Example: a new `claim` while another claim of the task is being mined.
 */
export function findExclusion(
  rule: Pick<AdmissionRule<never>, 'statuses'>,
  task: TaskSnapshot,
): ActionName | undefined {
  const actions = (task.beingMined ?? []).flatMap((operation) => actionsByOperation.get(operation) ?? [])
  return actions.find((action) => {
    const miningRule = findRule(action, task)
    return miningRule !== undefined && leaves(miningRule, task.status, rule.statuses)
  })
}

/**
 * Returns true if, on every kind of task, only one of several concurrent writes of the operation on a task can succeed.
 * Example: true for a claim; false for a submission, because a contest takes many submissions.
 */
export function excludesItself(operation: string): boolean {
  const action = actionsByOperation.get(operation)
  if (action === undefined) return false
  return actionRules[action].every((rule) => rule.statuses.every((status) => leaves(rule, status, rule.statuses)))
}

/** Returns true if the action always moves a task from `status` to a status that is not in `statuses`. */
function leaves(
  { moves = [] }: Pick<AdmissionRule<never>, 'moves'>,
  status: TaskStatus,
  statuses: readonly TaskStatus[],
): boolean {
  const pairs = moves.flatMap((event): readonly (readonly [TaskStatus, TaskStatus])[] => statusMoves[event])
  const next = pairs.flatMap(([before, after]) => (before === status ? [after] : []))
  return next.length > 0 && !next.some((after) => statuses.includes(after))
}
