import type { ActionRule } from './actions/action-rule.ts'
import { listRules } from './actions/action-rules.ts'
import { refuseState } from './actions/admit.ts'
import type { PendingAction } from './pending-action.ts'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Returns the actions on a task at `now` (time of the chain head, Unix seconds), from the rows that admit the requests.
 * It includes actions that become possible within their rule's notice. Spec, "PendingAction".
 */
export function listPendingActions(task: TaskSnapshot, now: bigint): PendingAction[] {
  return listRules(task).flatMap((rule) => (isOffered(rule, task, now) ? toPendingActions(rule, task, now) : []))
}

/** Returns true if the state allows the action now, or at the start of its window when the rule's notice has begun. */
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
