import type { TaskMode, unknownName } from './selectors.ts'
import type { TaskStatus } from './task-status.ts'

/** Statuses of a claim (interface specification, "Record shapes"). */
export const claimStatuses = ['active', 'submitted', 'forfeited', 'returned'] as const

export type ClaimStatus = (typeof claimStatuses)[number]

/**
 * The statuses to which a claim can change from each status. An expiry without a delivery makes a claim `forfeited`.
 * The return of the stake makes a delivered claim `returned`. A delivered claim without a stake remains `submitted`.
 */
const moves = { active: ['submitted', 'forfeited'], submitted: ['returned'], forfeited: [], returned: [] } as const

/**
 * Checks that a claim may change from the status `from` to `to`, and returns `to`. Example: `moveClaimStatus('active',
 * 'submitted')`.
 * @throws if the change is not allowed, because the contract never makes it
 */
export function moveClaimStatus(from: ClaimStatus, to: ClaimStatus): ClaimStatus {
  const nextStatuses: readonly ClaimStatus[] = moves[from]
  if (nextStatuses.includes(to)) return to
  throw new Error(`a claim moved from ${from} to ${to}`)
}

/**
 * Returns whether a task has a claim without a delivery. Such a claim is forfeited when the task ends.
 * Example: true for the mode `claim` in the status `claimed`.
 */
export function hasActiveClaim(task: { mode: TaskMode | typeof unknownName; status: TaskStatus }): boolean {
  return task.mode === 'claim' && task.status === 'claimed'
}

/**
 * Converts a stored text to a claim status. Example: `parseClaimStatus('active')`.
 * @throws if the text is no claim status
 */
export function parseClaimStatus(value: string): ClaimStatus {
  const status = claimStatuses.find((candidate) => candidate === value)
  if (status === undefined) throw new Error(`a row holds the claim status ${value}`)
  return status
}
