import type { Address } from 'viem'
import type { Detail } from '../../../protocol/details.ts'
import { isContest } from '../../../protocol/rules/selectors.ts'
import { firstRefusal } from '../first-refusal.ts'
import { MAX_RANK, MAX_WINNERS } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { needsActiveEntry } from './action-rule.ts'

/** One award that a verdict or resolution names. `amount` is gross, in USDC base units. */
export interface AwardArgs {
  worker: Address
  amount: bigint
  rank: number
}

/**
 * Returns the refusal of the awards of a verdict or resolution, or null if the awards are allowed. At most 50 awards
 * are allowed. Each award is above zero and goes to a worker of the task. No two awards have the same worker or the
 * same rank. The sum of the awards is at most `available` base units. See the interface specification, "Evaluator
 * flow".
 */
export function refuseAwards(
  task: TaskSnapshot,
  awards: readonly AwardArgs[],
  { available }: { available: bigint },
): Refusal | null {
  if (awards.length > MAX_WINNERS) {
    return refuse(400, 'too_many_winners', `Name at most ${MAX_WINNERS} awards.`, { field: 'awards' })
  }
  const workers = awards.map(({ worker }) => worker)
  const ranks = awards.map(({ rank }) => rank)
  return (
    firstRefusal(awards, ({ worker, amount, rank }, at) => {
      if (amount === 0n) return bad('zero_award', `The award of ${worker} is nothing.`, `awards.${at}.amount`)
      if (rank < 1 || rank > MAX_RANK) {
        return bad('invalid_rank', `A rank must be 1 to ${MAX_RANK}, not ${rank}.`, `awards.${at}.rank`)
      }
      if (ranks.indexOf(rank) !== at) return bad('duplicate_rank', `Two awards have rank ${rank}.`, `awards.${at}.rank`)
      if (workers.indexOf(worker) !== at) {
        return bad('duplicate_winner', `${worker} is named twice.`, `awards.${at}.worker`)
      }
      return refuseRecipient(task, worker, `awards.${at}.worker`)
    }) ?? refuseSum(awards, available)
  )
}

/**
 * Returns the placeholder `<worker>:<usdc>:<rank>` for a command. If only one worker is possible, the placeholder has
 * the worker's address.
 */
export function awardPlaceholder({ mode, worker, soleActiveWorker }: TaskSnapshot): string {
  return `${(isContest(mode) ? soleActiveWorker : worker) ?? '<worker>'}:<usdc>:<rank>`
}

/**
 * Requires that the recipient is the assigned worker. In a contest, requires that the recipient has an active
 * submission.
 */
function refuseRecipient(task: TaskSnapshot, worker: Address, field: string): Refusal | null {
  if (isContest(task.mode)) return needsActiveEntry(task, worker, field)
  if (worker === task.worker) return null
  return refuse(409, 'not_selected_worker', `Only the worker of the task, ${task.worker}, may be awarded.`, { field })
}

function refuseSum(awards: readonly AwardArgs[], availableAmount: bigint): Refusal | null {
  const sum = awards.reduce((total, { amount }) => total + amount, 0n)
  if (sum <= availableAmount) return null
  return bad('awards_exceed_escrow', `The awards sum to ${sum} base units; ${availableAmount} are there.`, 'awards')
}

function bad(failure: Detail, message: string, field: string): Refusal {
  return refuse(400, failure, message, { field })
}
