import type { TaskMode, unknownName } from './selectors.ts'
import type { TaskStatus } from './task-status.ts'

/** Where a claim stands. Interface document, "Record shapes" (claim). */
export const claimStatuses = ['active', 'submitted', 'forfeited', 'returned'] as const

export type ClaimStatus = (typeof claimStatuses)[number]

/**
 * What a claim may become. An undelivered one is forfeited, by reopening as by expiry, with or without a stake; a
 * delivered one is returned when its stake goes back, and stays submitted when it had none.
 */
const moves = { active: ['submitted', 'forfeited'], submitted: ['returned'], forfeited: [], returned: [] } as const

/**
 * Checks that a claim may move from `from` to `to`, and returns `to`.
 * @throws when the contract made a move that its own state machine forbids
 */
export function moveClaimStatus(from: ClaimStatus, to: ClaimStatus): ClaimStatus {
  const allowed: readonly ClaimStatus[] = moves[from]
  if (allowed.includes(to)) return to
  throw new Error(`a claim moved from ${from} to ${to}`)
}

/** Whether a task holds a claim that is still to be delivered, so that its end forfeits it. */
export function hasActiveClaim(task: { mode: TaskMode | typeof unknownName; status: TaskStatus }): boolean {
  return task.mode === 'claim' && task.status === 'claimed'
}

/** Narrows a stored status. @throws when the row holds something else */
export function parseClaimStatus(value: string): ClaimStatus {
  const status = claimStatuses.find((candidate) => candidate === value)
  if (status === undefined) throw new Error(`a row holds the claim status ${value}`)
  return status
}
