import type { ActionRule } from './actions/action-rule.ts'
import { listRules } from './actions/action-rules.ts'
import { refuseState } from './actions/admit.ts'
import type { PendingAction } from './pending-action.ts'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Returns the pending actions of a task at `now` (the time of the latest block in Unix seconds). They come from the
 * same rules that admit the requests. An action that is not possible yet is included if its rule announces it by now.
 * See the specification, "PendingAction".
 */
export function listPendingActions(task: TaskSnapshot, now: bigint): PendingAction[] {
  return listRules(task).flatMap((rule) => (isOffered(rule, task, now) ? toPendingActions(rule, task, now) : []))
}

/**
 * Returns true if the task's state allows the action now. If the action is already announced, but its window has not
 * begun, returns true if the state would allow it at the start of the window.
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
