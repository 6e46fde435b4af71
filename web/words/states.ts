import type { Task } from '../http/rows.ts'

/**
 * The kind of a state, which decides the symbol and the color. `open`: the task accepts entries. `wait`: an account has
 * to act. `done`: the task has ended. `bad`: money or a deadline is at stake.
 */
export type Shape = 'open' | 'wait' | 'done' | 'bad'

/** The state of a task, as people see it. */
export interface State {
  shape: Shape
  /** One to three words that name the state. */
  word: string
  /** A sentence about the meaning of the state and the accounts that must act. */
  sentence: string
}

type StateOf = (task: Task, now: number) => State

/**
 * Functions that return the state of a task, by the task's status. The end of a task's time does not change the status.
 * Therefore the functions of `open`, `claimed` and `worker_selected` also compare the time.
 */
const states: Readonly<Record<Task['status'], StateOf>> = {
  open: (task, now) => (isOver(task, now) ? overdueOpen(task) : openState(task, now)),
  claimed: (task, now) => (isOver(task, now) ? overdueWork : inWork),
  worker_selected: (task, now) => (isOver(task, now) ? overdueWork : inWork),
  pending_approval: () => ({
    shape: 'wait',
    word: 'Delivered',
    sentence: 'The work is delivered and waits for the requester to accept it.',
  }),
  review: () => ({
    shape: 'wait',
    word: 'In review',
    sentence: 'The work is delivered; the evaluator decides about it.',
  }),
  appealing: ({ disputeResolver }) => ({
    shape: 'wait',
    word: 'Verdict given',
    sentence:
      disputeResolver === null
        ? 'The evaluator has decided; the verdict takes effect when its time is over.'
        : 'The evaluator has decided; the verdict can be appealed until its time is over.',
  }),
  disputed: () => ({
    shape: 'wait',
    word: 'In dispute',
    sentence:
      'The verdict was appealed; the resolver named in the terms decides. Without an answer in time the verdict stands.',
  }),
  completed: ({ awardCount }) => ({
    shape: 'done',
    word: 'Paid',
    sentence:
      awardCount > 1
        ? `The reward was split among ${awardCount} workers and paid.`
        : 'The work was accepted and its worker is paid.',
  }),
  expired: () => ({
    shape: 'done',
    word: 'Refunded',
    sentence: 'The task ended without a paid delivery; the reward went back to the requester.',
  }),
  cancelled: ({ verdictType }) =>
    verdictType === 'REJECT'
      ? {
          shape: 'done',
          word: 'Rejected',
          sentence: 'The evaluator rejected the work; what was left of the reward went back to the requester.',
        }
      : {
          shape: 'done',
          word: 'Cancelled',
          sentence: 'The requester took the task back before it was done; the reward went back.',
        },
}

const inWork: State = {
  shape: 'wait',
  word: 'In work',
  sentence: 'One worker has the task alone and can deliver until it ends.',
}

const overdueWork: State = {
  shape: 'bad',
  word: 'Overdue',
  sentence: 'The time is over and nothing was delivered; the reward can be taken back.',
}

/**
 * Returns the state of a task at a time.
 * @param now time, in Unix milliseconds
 */
export function stateOf(task: Task, now: number): State {
  return states[task.status](task, now)
}

function isOver({ expiryTime, phase }: Task, now: number): boolean {
  return phase === 'awaiting_settlement' || Date.parse(expiryTime) <= now
}

function overdueOpen({ mode, submissionCount, verdictType, evaluator }: Task): State {
  const isContest = mode === 'bounty' || mode === 'benchmark'
  if (!isContest || submissionCount === 0) {
    return {
      shape: 'bad',
      word: 'Refund due',
      sentence: 'The task ended without a worker; anyone can send the reward back to the requester.',
    }
  }
  const judge = evaluator === null || verdictType !== null ? 'requester' : 'evaluator'
  return {
    shape: 'wait',
    word: 'Decision due',
    sentence: `No more entries are taken; the ${judge} decides about those that came.`,
  }
}

function openState(task: Task, now: number): State {
  const { mode, auctionType, pitchDeadline, bidDeadline } = task
  if (mode === 'claim') {
    return { shape: 'open', word: 'Open to claim', sentence: 'The first worker who claims the task has it alone.' }
  }
  if (mode === 'pitch') {
    return isPast(pitchDeadline, now)
      ? { shape: 'wait', word: 'Selecting', sentence: 'Pitches are closed; the requester selects one of them.' }
      : { shape: 'open', word: 'Open for pitches', sentence: 'Workers say how they would do it.' }
  }
  if (mode === 'benchmark') {
    return { shape: 'open', word: 'Open for proofs', sentence: 'Workers prove a measured result until it ends.' }
  }
  if (mode === 'bounty') {
    return { shape: 'open', word: 'Open', sentence: 'Anyone can deliver until it ends.' }
  }
  if (auctionType === 'dutch' || auctionType === 'reverse_dutch') {
    const moves = auctionType === 'dutch' ? 'falls' : 'rises'
    return {
      shape: 'open',
      word: 'Open',
      sentence: `The price ${moves}; the first worker who accepts it gets the task.`,
    }
  }
  if (!isPast(bidDeadline, now)) {
    return { shape: 'open', word: 'Open for bids', sentence: 'Workers bid; the lowest bid gets the task.' }
  }
  return (task.auctionBidCount ?? 0) > 0
    ? { shape: 'wait', word: 'Bids closed', sentence: 'Bidding is over; anyone can assign the lowest bidder.' }
    : {
        shape: 'wait',
        word: 'No bids',
        sentence: 'Bidding is over without a bid; when the task ends the reward goes back.',
      }
}

function isPast(iso: string | null, now: number): boolean {
  return iso !== null && Date.parse(iso) <= now
}
