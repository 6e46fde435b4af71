import { type Refusal, refuse } from './refusal.ts'

/** How often one worker may submit to one task. */
export interface SubmissionAllowance {
  /** Free, relayed in the worker's name on his signature. */
  free: number
  /** In all; beyond it the service takes none. */
  ceiling: number
}

/** How a worker's next submission is made, after `used` that are anchored or under way. Interface, "Other rules". */
export function legOfSubmission(used: number, { free }: SubmissionAllowance): 'signed' | 'paid' {
  return used < free ? 'signed' : 'paid'
}

/** Why a worker may not submit once more; null: he may. */
export function refuseBeyondCeiling(used: number, { ceiling }: SubmissionAllowance): Refusal | null {
  if (used < ceiling) return null
  return refuse(
    429,
    'submission_ceiling',
    `This worker has made all ${ceiling} submissions that one may make to a task.`,
  )
}
