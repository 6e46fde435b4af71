import { contestModes } from '../../../src/rules/selectors.ts'
import { ACTION_FEE, MAX_DURATION_SECONDS, MAX_REWARD, MIN_REWARD } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, always, requesterOnly } from './action-rule.ts'

/** New terms of a task; absent: unchanged. Amounts in base units, times in Unix seconds. */
export interface UpdateArgs {
  reward?: bigint | undefined
  expiryTime?: bigint | undefined
  pitchDeadline?: bigint | undefined
  bidDeadline?: bigint | undefined
  auctionFloorPrice?: bigint | undefined
  auctionStartPrice?: bigint | undefined
  /** Whether a text differs from the present one. */
  textsChange: boolean
}

/** Terms that only other modes have, and which those are. */
const foreignTerms = {
  pitchDeadline: 'pitch',
  bidDeadline: 'auction',
  auctionFloorPrice: 'dutch auction',
  auctionStartPrice: 'reverse dutch auction',
} as const satisfies Partial<Record<keyof UpdateArgs, string>>

/**
 * Increase and extension always, also after expiry; decrease and shortening never after the first submission.
 * Interface, "Other rules".
 */
export const updateOpen: ActionRule<UpdateArgs> = {
  action: 'update',
  modes: [...contestModes, 'claim'],
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  check: (task, { args, now }) =>
    checkForeignTerms(task, args) ??
    checkReward(task, args.reward ?? task.reward) ??
    checkExpiry(task, args.expiryTime ?? task.expiryTime, now) ??
    checkChange(task, args),
  offeredAs: ({ id }) => [{ command: `task update ${id} --<field> <value>` }],
}

/** What an update costs: the fee and the added escrow. Base units. Spec, "Lifecycle writes". */
export function chargeOfUpdate(task: TaskSnapshot, { reward }: Pick<UpdateArgs, 'reward'>) {
  const escrow = reward !== undefined && reward > task.reward ? reward - task.reward : 0n
  return { amount: ACTION_FEE + escrow, escrow }
}

function checkForeignTerms({ mode }: TaskSnapshot, args: UpdateArgs): Refusal | null {
  for (const [field, kind] of Object.entries(foreignTerms)) {
    if (args[field as keyof typeof foreignTerms] === undefined) continue
    return refuse(400, 'wrong_mode', `A ${mode} task has no ${field}: only a ${kind} has one.`, { field })
  }
  return null
}

function checkReward(task: TaskSnapshot, reward: bigint): Refusal | null {
  if (reward < MIN_REWARD || reward > MAX_REWARD) {
    return refuse(400, 'invalid_reward', `The reward must be ${MIN_REWARD} to ${MAX_REWARD} base units.`, {
      field: 'reward',
    })
  }
  if (reward < task.reward && task.submissionCount > 0) return termsLocked('reward', 'lowered')
  if (reward > task.reward && task.entriesPaused) {
    return refuse(409, 'market_paused', 'The market takes no more money for now.', { field: 'reward' })
  }
  return null
}

function checkExpiry(task: TaskSnapshot, expiryTime: bigint, now: bigint): Refusal | null {
  if (expiryTime === task.expiryTime) return null
  if (expiryTime <= now || expiryTime > now + MAX_DURATION_SECONDS) {
    return refuse(400, 'invalid_expiry', `The expiry must lie after ${now} (Unix seconds), at most ten years.`, {
      field: 'expiryTime',
    })
  }
  return expiryTime < task.expiryTime && task.submissionCount > 0 ? termsLocked('expiryTime', 'brought forward') : null
}

function termsLocked(field: string, change: string): Refusal {
  return refuse(409, 'terms_locked', `Somebody has submitted: the ${field} cannot be ${change} any more.`, { field })
}

function checkChange(task: TaskSnapshot, { reward, expiryTime, textsChange }: UpdateArgs): Refusal | null {
  if (textsChange) return null
  if ((reward ?? task.reward) !== task.reward || (expiryTime ?? task.expiryTime) !== task.expiryTime) return null
  return refuse(409, 'nothing_to_update', 'The task has these terms already.')
}
