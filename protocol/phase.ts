import type { TaskStatus } from './rules/task-status.ts'

/** Phases of a task. The status of the task and the time determine the phase. */
export const phases = ['active', 'in_review', 'awaiting_settlement', 'resolved'] as const
export type Phase = (typeof phases)[number]

/**
 * Returns the phase of a task at the time `now`, the latest block's time in Unix seconds (specification, "phase
 * (derived)"). A task that still waits for a delivery or an acceptance becomes `awaiting_settlement` at the expiry.
 * Example: an open task with expiry 100n is `active` at 99n and `awaiting_settlement` at 100n.
 */
export function phaseOf({ status, expiryTime }: { status: TaskStatus; expiryTime: bigint }, now: bigint): Phase {
  switch (status) {
    case 'open':
    case 'claimed':
    case 'worker_selected':
      return now < expiryTime ? 'active' : 'awaiting_settlement'
    case 'pending_approval':
      return 'active'
    case 'review':
    case 'appealing':
    case 'disputed':
      return 'in_review'
    case 'completed':
    case 'expired':
    case 'cancelled':
      return 'resolved'
  }
}
