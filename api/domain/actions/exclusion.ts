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
 * Finds, among the actions on the task that are being mined, one that will give the task a status in which the rule
 * admits no request. Returns undefined if there is none. The result follows from the statuses of the rule and from the
 * events by which an action changes the status. Example: `claim` while another claim of the task is being mined.
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
 * Returns true if, in every kind of task, a successful write of the operation makes any further write of the same
 * operation impossible. So of several such writes at the same time only one succeeds. Example: true for a claim; false
 * for a submission, because a contest takes many submissions.
 */
export function excludesItself(operation: string): boolean {
  const action = actionsByOperation.get(operation)
  if (action === undefined) return false
  return actionRules[action].every((rule) => rule.statuses.every((status) => leaves(rule, status, rule.statuses)))
}

/** Returns true if the rule's action moves a task from `status` to another status, and never to one of `statuses`. */
function leaves(
  { moves = [] }: Pick<AdmissionRule<never>, 'moves'>,
  status: TaskStatus,
  statuses: readonly TaskStatus[],
): boolean {
  const pairs = moves.flatMap((event): readonly (readonly [TaskStatus, TaskStatus])[] => statusMoves[event])
  const next = pairs.flatMap(([before, after]) => (before === status ? [after] : []))
  return next.length > 0 && !next.some((after) => statuses.includes(after))
}
