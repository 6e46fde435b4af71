import { type Refusal, refuse } from './refusal.ts'

/** The limit on submissions of one worker to one task. */
export interface SubmissionCeiling {
  /** The most submissions that the service accepts. */
  ceiling: number
}

/** The limits on submissions to one task: of one worker, and free ones of all workers. */
export interface SubmissionAllowance extends SubmissionCeiling {
  /** The free submissions of one worker, relayed on the worker's signature. */
  free: number
  /** The free submissions of all workers together. */
  freeOfAll: number
}

/** The free submissions of a task with the smallest reward. */
const LEAST_FREE_OF_TASK = 5n
/** The reward per free submission, base units: the gas of all free submissions stays below the fee of the award. */
const REWARD_OF_FREE_SUBMISSION = 40_000n
const MOST_FREE_OF_TASK = 1_000n

/**
 * Returns the number of free submissions to a task, of all workers together. It follows the reward, because wallets
 * cost nothing while a reward has to be funded. Example: `freeSubmissionsOf(1_000_000n)` returns `25`.
 */
export function freeSubmissionsOf(reward: bigint): number {
  const free = reward / REWARD_OF_FREE_SUBMISSION
  if (free < LEAST_FREE_OF_TASK) return Number(LEAST_FREE_OF_TASK)
  return Number(free > MOST_FREE_OF_TASK ? MOST_FREE_OF_TASK : free)
}

/** The submissions before the next one; each is anchored or being relayed. */
export interface SubmissionsBefore {
  /** The submissions of the worker to the task. */
  ordinary: number
  /** The free submissions to the task, of all workers. */
  freeOfTask: number
}

/** Returns the relay mode of a worker's next submission. Interface, "Other rules". */
export function modeOfSubmission(
  { ordinary, freeOfTask }: SubmissionsBefore,
  { free, freeOfAll }: SubmissionAllowance,
): 'signed' | 'paid' {
  return ordinary < free && freeOfTask < freeOfAll ? 'signed' : 'paid'
}

/** Returns the refusal of a submission beyond the ceiling, or null. */
export function refuseBeyondCeiling(submissionCount: number, { ceiling }: SubmissionCeiling): Refusal | null {
  if (submissionCount < ceiling) return null
  return refuse(
    429,
    'submission_ceiling',
    `This worker has made all ${ceiling} submissions that one may make to a task.`,
  )
}
