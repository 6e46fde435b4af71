import type { TaskMode } from './rules/selectors.ts'
import type { TaskStatus } from './rules/task-status.ts'

/** The status in which a task of each mode takes deliverables. */
const deliveryStatuses = {
  bounty: 'open',
  benchmark: 'open',
  claim: 'claimed',
  pitch: 'worker_selected',
  auction: 'claimed',
} as const satisfies Record<TaskMode, TaskStatus>

/**
 * Whether a deliverable can be submitted at `now` (chain head's time, Unix seconds). Spec, "submissionWindowOpen".
 * A mode this version does not know takes none.
 */
export function isSubmissionWindowOpen(
  { mode, status, expiryTime }: { mode: TaskMode | 'unknown'; status: TaskStatus; expiryTime: bigint },
  now: bigint,
): boolean {
  return mode !== 'unknown' && status === deliveryStatuses[mode] && now < expiryTime
}
