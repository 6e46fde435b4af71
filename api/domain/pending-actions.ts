import type { ActionRule } from './actions/action-rule.ts'
import { listRules } from './actions/action-rules.ts'
import { refuseState } from './actions/admit.ts'
import type { PendingAction } from './pending-action.ts'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Returns the pending actions of a task at `now`, the time of the latest block in Unix seconds. The result also has
 * announced actions, which become possible later. The same rules (`actionRules`) also check requests. See the
 * specification, "PendingAction".
 */
export function listPendingActions(task: TaskSnapshot, now: bigint): PendingAction[] {
  return listRules(task).flatMap((rule) => (isOffered(rule, task, now) ? toPendingActions(rule, task, now) : []))
}

/**
 * Returns true if an action is listed as a pending action now. This is the case if the action is possible now. It is
 * also the case if the action's window opens within `noticeSeconds` and the task's present state allows the action
 * then.
 */
function isOffered<Args>(rule: ActionRule<Args>, task: TaskSnapshot, now: bigint): boolean {
  const { from } = rule.window(task)
  const isAnnounced = from !== null && now < from && now >= from - (rule.noticeSeconds ?? 0n)
  return refuseState(rule, task, isAnnounced ? from : now) === null
}

function toPendingActions<Args>(rule: ActionRule<Args>, task: TaskSnapshot, now: bigint): PendingAction[] {
  const { from, until } = rule.window(task)
  const cost = (rule.fee ?? 0n) + (rule.stake?.(task) ?? 0n)
  return rule.eligible(task).flatMap(({ role, address }) =>
    rule.offeredAs(task, now).map(({ command, targetWorker }) => ({
      role,
      action: rule.action,
      command,
      eligibleAddress: address,
      requiresPayment: cost > 0n,
      paymentAmount: cost > 0n ? cost : null,
      availableAfter: from,
      availableUntil: until,
      targetWorker: targetWorker ?? null,
    })),
  )
}
