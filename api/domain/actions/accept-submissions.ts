import type { Address } from 'viem'
import { BPS, partOf } from '../../../protocol/rules/amounts.ts'
import { contestModes } from '../../../protocol/rules/selectors.ts'
import { firstRefusal } from '../first-refusal.ts'
import { ACTION_FEE, MAX_WINNERS } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { SubmissionFacts, TaskSnapshot } from '../task-snapshot.ts'
import {
  type ActionRule,
  always,
  needsActiveEntry,
  needsRequestersDecision,
  requesterOnly,
  workerPlaceholder,
} from './action-rule.ts'

/** One winner of a split reward. The winner's position in the list is the rank of the award. */
export interface WinnerArgs {
  worker: Address
  shareBps: number
  /**
   * The submission that the request names for this winner. Null if the named submission does not exist. Absent if the
   * request names no submission. In that case, the worker's latest submission is accepted.
   */
  pinned?: SubmissionFacts | null
}

export interface AcceptSubmissionsArgs {
  winners: readonly WinnerArgs[]
}

/**
 * The rule by which the requester splits the reward of a contest among workers. If a submission is still active, the
 * requester can split the reward even after the expiry. See the interface specification, "Other rules".
 */
export const acceptSubmissionsInContest: ActionRule<AcceptSubmissionsArgs> = {
  action: 'accept_submissions',
  modes: contestModes,
  statuses: ['open'],
  moves: ['TaskCompleted'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  blocked: needsRequestersDecision,
  check: (task, { args: { winners } }) =>
    checkSplit(winners) ?? firstRefusal(winners, (winner, at) => checkWinner(task, winner, at)),
  offeredAs: (task) => [
    { command: `task accept-submissions ${task.id} --winner ${workerPlaceholder(task)}:<share>[:<submissionId>]` },
  ],
}

function checkSplit(winners: readonly WinnerArgs[]): Refusal | null {
  if (winners.length === 0) return refuse(400, 'no_winners', 'Name at least one winner.', { field: 'winners' })
  if (winners.length > MAX_WINNERS) {
    return refuse(400, 'too_many_winners', `Name at most ${MAX_WINNERS} winners.`, { field: 'winners' })
  }
  const sum = winners.reduce((total, { shareBps }) => total + shareBps, 0)
  if (BigInt(sum) !== BPS) {
    return refuse(400, 'invalid_shares', `The shares sum to ${sum} basis points, not to exactly ${BPS}.`, {
      field: 'winners',
    })
  }
  const workers = winners.map(({ worker }) => worker)
  return firstRefusal(winners, ({ worker }, at) =>
    workers.indexOf(worker) === at
      ? null
      : refuse(400, 'duplicate_winner', `${worker} is named twice.`, { field: `winners.${at}.worker` }),
  )
}

function checkWinner(task: TaskSnapshot, { worker, shareBps, pinned }: WinnerArgs, at: number): Refusal | null {
  if (partOf(task.reward, shareBps) === 0n) {
    return refuse(400, 'zero_award', `A share of ${shareBps} basis points of this reward is less than one base unit.`, {
      field: `winners.${at}.share`,
    })
  }
  const entryRefusal = needsActiveEntry(task, worker, `winners.${at}.worker`)
  if (entryRefusal !== null || pinned === undefined) return entryRefusal
  if (pinned !== null && pinned.taskId === task.id && pinned.worker === worker && !pinned.rejected) return null
  return refuse(409, 'unknown_submission', `This is no submission of ${worker} to this task.`, {
    field: `winners.${at}.submissionId`,
  })
}
