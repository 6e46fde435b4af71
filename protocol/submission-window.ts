import type { TaskMode } from './rules/selectors.ts'
import type { TaskStatus } from './rules/task-status.ts'

/** The status in which a task accepts deliverables, by the mode of the task. */
const deliveryStatuses = {
  bounty: 'open',
  benchmark: 'open',
  claim: 'claimed',
  pitch: 'worker_selected',
  auction: 'claimed',
} as const satisfies Record<TaskMode, TaskStatus>

/**
 * Returns whether workers can submit to a task at the time `now` (specification, "submissionWindowOpen"). False for the
 * mode `unknown`.
 * Example: a claim task accepts deliverables in the status `claimed`, not in `open`.
 * @param now time of the latest block, Unix seconds
 */
export function isSubmissionWindowOpen(
  { mode, status, expiryTime }: { mode: TaskMode | 'unknown'; status: TaskStatus; expiryTime: bigint },
  now: bigint,
): boolean {
  return mode !== 'unknown' && status === deliveryStatuses[mode] && now < expiryTime
}
