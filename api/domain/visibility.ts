import type { Address } from 'viem'

/** What decides who may see a task. Addresses lower case. */
export interface TaskViewFacts {
  requester: Address
  taskVisibility: 'public' | 'unlisted' | 'private'
  /** Workers of settled awards, by rank; empty before completion. */
  awardedWorkers: readonly Address[]
}

/** What decides, besides, who may see its submissions. */
export interface SubmissionViewFacts extends TaskViewFacts {
  status: string
  submissionVisibility: 'public' | 'reveal_all' | 'winner_only' | 'never'
}

/** Whose submissions a caller sees; without `workers` everybody's. */
export interface SubmissionScope {
  workers?: Address[]
}

/** Task statuses after which the modes reveal what they reveal (Spec, "Events", submission visibility gating). */
const ENDED = new Set(['completed', 'expired'])

/**
 * Whether a caller may see a task at all: a private one is for its requester and its awarded workers.
 * Spec, "Events", task visibility.
 */
export function canViewTask(task: TaskViewFacts, caller: Address | null): boolean {
  if (task.taskVisibility !== 'private') return true
  return caller !== null && (caller === task.requester || task.awardedWorkers.includes(caller))
}

/** Whose submissions of a task that he may see a caller sees. Spec, "Events", submission visibility gating. */
export function submissionScopeOf(task: SubmissionViewFacts, caller: Address | null): SubmissionScope {
  if (task.submissionVisibility === 'public' || caller === task.requester) return {}
  const own = caller === null ? [] : [caller]
  if (!ENDED.has(task.status)) return { workers: own }
  switch (task.submissionVisibility) {
    case 'reveal_all':
      return {}
    case 'winner_only':
      return { workers: [...new Set([...own, ...task.awardedWorkers])] }
    case 'never':
      return { workers: own }
  }
}

/** Whether a caller sees the submissions of one worker. */
export function canViewSubmission(task: SubmissionViewFacts, worker: Address, caller: Address | null): boolean {
  const { workers } = submissionScopeOf(task, caller)
  return workers === undefined || workers.includes(worker)
}
