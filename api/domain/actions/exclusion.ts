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
 * Finds a pending action that excludes the action of `rule`. A pending action is an action that is being mined on the
 * same task. If the pending action will give the task a status in which `rule` does not apply, the pending action
 * excludes the action of `rule`. Example: a pending `claim` excludes a new `claim`.
 * @returns the name of the pending action, or undefined if no pending action excludes the action of `rule`
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
 * Returns true if concurrent writes of the operation on one task exclude each other, so only one of the writes can
 * succeed. The result is true only if this holds for every kind of task. Example: true for a claim; false for a
 * submission, because a contest takes many submissions.
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
