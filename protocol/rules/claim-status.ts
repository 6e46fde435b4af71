import type { TaskMode, unknownName } from './selectors.ts'
import type { TaskStatus } from './task-status.ts'

/** Statuses of a claim. Interface document, "Record shapes" (claim). */
export const claimStatuses = ['active', 'submitted', 'forfeited', 'returned'] as const

export type ClaimStatus = (typeof claimStatuses)[number]

/**
 * Possible moves of a claim. An undelivered claim is forfeited, by reopening as by expiry, with or without a stake. A delivered
 * one is returned when its stake is, and stays submitted when it had none.
 */
const moves = { active: ['submitted', 'forfeited'], submitted: ['returned'], forfeited: [], returned: [] } as const

/**
 * Checks that a claim may move from `from` to `to`, and returns `to`. Example: `moveClaimStatus('active', 'submitted')`.
 * @throws when the contract made a move that its own state machine forbids
 */
export function moveClaimStatus(from: ClaimStatus, to: ClaimStatus): ClaimStatus {
  const allowed: readonly ClaimStatus[] = moves[from]
  if (allowed.includes(to)) return to
  throw new Error(`a claim moved from ${from} to ${to}`)
}

/**
 * Returns whether a task has a claim without a delivery, which the task's end forfeits.
 * Example: true for the mode `claim` in the status `claimed`.
 */
export function hasActiveClaim(task: { mode: TaskMode | typeof unknownName; status: TaskStatus }): boolean {
  return task.mode === 'claim' && task.status === 'claimed'
}

/**
 * Narrows a stored status. Example: `parseClaimStatus('active')`.
 * @throws when the row has another value
 */
export function parseClaimStatus(value: string): ClaimStatus {
  const status = claimStatuses.find((candidate) => candidate === value)
  if (status === undefined) throw new Error(`a row holds the claim status ${value}`)
  return status
}
