import { type Refusal, refuse } from './refusal.ts'

/** The limit on the submissions of one worker to one task. */
export interface SubmissionCeiling {
  /** The largest number of submissions that the service accepts from one worker to one task. */
  ceiling: number
}

/** The limits on submissions to one task, including the limits on free submissions. */
export interface SubmissionAllowance extends SubmissionCeiling {
  /** The largest number of free submissions that one worker may make. The worker only signs them and pays nothing. */
  free: number
  /** The largest number of free submissions that all workers together may make. */
  freeOfAll: number
}

/** The smallest number of free submissions to one task. A task with a small reward allows this number. */
const LEAST_FREE_OF_TASK = 5n
/**
 * The reward that entitles a task to one free submission, in base units of USDC: each 0.04 USDC of the reward allows
 * one free submission. At this ratio, the gas of all free submissions costs less than the platform fee.
 */
const REWARD_OF_FREE_SUBMISSION = 40_000n
/** The largest number of free submissions to one task. The number grows with the reward only up to this limit. */
const MOST_FREE_OF_TASK = 1_000n

/**
 * Returns the largest number of free submissions that all workers together may make to a task. The number grows with
 * the reward, not with the number of workers, because anybody can create many wallets for free. Example:
 * `freeSubmissionsOf(1_000_000n)` returns `25`.
 */
export function freeSubmissionsOf(reward: bigint): number {
  const freeCount = reward / REWARD_OF_FREE_SUBMISSION
  if (freeCount < LEAST_FREE_OF_TASK) return Number(LEAST_FREE_OF_TASK)
  return Number(freeCount > MOST_FREE_OF_TASK ? MOST_FREE_OF_TASK : freeCount)
}

/**
 * The numbers of submissions to a task that were made before a worker's next submission. A submission that is still
 * being relayed counts as made.
 */
export interface SubmissionsBefore {
  /**
   * The number of submissions that the worker has made to the task; submissions by a benchmark proof are not counted.
   */
  ordinary: number
  /** The number of free submissions that all workers together have made to the task. */
  freeOfTask: number
}

/**
 * Returns the relay mode of a worker's next submission. `signed`: the submission is free, because neither the worker's
 * limit nor the task's limit of free submissions is reached. `paid`: one of the limits is reached. See the interface
 * specification, "Other rules".
 */
export function modeOfSubmission(
  { ordinary, freeOfTask }: SubmissionsBefore,
  { free, freeOfAll }: SubmissionAllowance,
): 'signed' | 'paid' {
  return ordinary < free && freeOfTask < freeOfAll ? 'signed' : 'paid'
}

/** Returns a refusal if the worker has already made `ceiling` submissions to the task. Otherwise returns null. */
export function refuseBeyondCeiling(submissionCount: number, { ceiling }: SubmissionCeiling): Refusal | null {
  if (submissionCount < ceiling) return null
  return refuse(
    429,
    'submission_ceiling',
    `This worker has made all ${ceiling} submissions that one may make to a task.`,
  )
}
