import { type Refusal, refuse } from './refusal.ts'

/** How often one worker may submit to one task. */
export interface SubmissionCeiling {
  /** In all; beyond it the service takes none. */
  ceiling: number
}

/** How often may be submitted to one task: by one worker, and free by all. */
export interface SubmissionAllowance extends SubmissionCeiling {
  /** Free, relayed in the worker's name on its signature. */
  free: number
  /** The same of all workers together. */
  freeOfAll: number
}

/** Free submissions that every task has, whatever its reward. */
const LEAST_FREE_OF_TASK = 5n
/**
 * Reward for which one more submission is free, base units: the gas of all of them stays below the fee of the award.
 */
const REWARD_OF_FREE_SUBMISSION = 40_000n
const MOST_FREE_OF_TASK = 1_000n

/**
 * How many submissions to a task are free, of all workers together: wallets cost nothing, a reward has to be put up.
 */
export function freeSubmissionsOf(reward: bigint): number {
  const free = reward / REWARD_OF_FREE_SUBMISSION
  if (free < LEAST_FREE_OF_TASK) return Number(LEAST_FREE_OF_TASK)
  return Number(free > MOST_FREE_OF_TASK ? MOST_FREE_OF_TASK : free)
}

/** What counts about the submissions before the next one; each is anchored or under way. */
export interface SubmissionsBefore {
  /** Of the worker to the task. */
  ordinary: number
  /** Free ones to the task, of all workers. */
  freeOfTask: number
}

/** The relay mode of a worker’s next submission. Interface, "Other rules". */
export function modeOfSubmission(
  { ordinary, freeOfTask }: SubmissionsBefore,
  { free, freeOfAll }: SubmissionAllowance,
): 'signed' | 'paid' {
  return ordinary < free && freeOfTask < freeOfAll ? 'signed' : 'paid'
}

/** Why a worker may not submit once more; null: admitted. */
export function refuseBeyondCeiling(used: number, { ceiling }: SubmissionCeiling): Refusal | null {
  if (used < ceiling) return null
  return refuse(
    429,
    'submission_ceiling',
    `This worker has made all ${ceiling} submissions that one may make to a task.`,
  )
}
