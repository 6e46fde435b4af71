import { STALE_AFTER_SECONDS } from '../../../client/src/index.ts'
import type { TaskDetail } from '../../http/rows.ts'

/** A future step of a task. `at` is its time; null if the time is not known. */
export interface Step {
  at: string | null
  text: string
}

/**
 * Returns the future steps of a task, with the effect of each deadline if no account acts before it.
 * @param now the chain's time, in Unix milliseconds
 */
export function upcoming(task: TaskDetail, now: number): Step[] {
  return stepsOf(task, now).filter(({ at }) => at === null || Date.parse(at) > now)
}

function stepsOf(task: TaskDetail, now: number): Step[] {
  switch (task.status) {
    case 'open':
      return openSteps(task, now)
    case 'claimed':
    case 'worker_selected':
      return [
        { at: task.expiryTime, text: 'The work is due' },
        { at: null, text: 'Without a delivery anyone can then send the reward back to the requester' },
      ]
    case 'pending_approval':
      return [
        { at: null, text: 'The requester accepts or refuses the work' },
        {
          at: staleAt(task),
          text: 'Without an answer anyone can have the worker paid; if the requester refused, the reward goes back instead',
        },
      ]
    case 'review':
      return [
        { at: task.evaluatorDeadline, text: 'The evaluator’s time ends; without a verdict the requester decides' },
      ]
    case 'appealing':
      return [
        {
          at: task.appealDeadline,
          text:
            task.disputeResolver === null
              ? 'From then on anyone can put the verdict into effect'
              : 'Until then the verdict can be appealed; from then on anyone can put it into effect',
        },
      ]
    case 'disputed':
      return [
        { at: null, text: 'The resolver decides' },
        { at: null, text: 'Without an answer in time anyone can put the evaluator’s verdict into effect' },
      ]
    case 'completed':
    case 'expired':
    case 'cancelled':
      return []
  }
}

function openSteps(task: TaskDetail, now: number): Step[] {
  const { mode, pitchDeadline, bidDeadline, expiryTime, evaluator } = task
  const refund = { at: null, text: 'Without a delivery anyone can then send the reward back to the requester' }
  const isOver = Date.parse(expiryTime) <= now
  switch (mode) {
    case 'bounty':
    case 'benchmark': {
      if (isOver && task.submissionCount === 0) return [refund]
      const judge = evaluator === null ? 'requester' : 'evaluator'
      return [
        { at: expiryTime, text: 'No more entries are taken' },
        { at: null, text: `The ${judge} decides about the entries, at any time` },
        { at: null, text: 'Without entries anyone can then send the reward back' },
      ]
    }
    case 'claim':
      return [{ at: expiryTime, text: 'The task ends' }, refund]
    case 'pitch':
      return [
        { at: pitchDeadline, text: 'No more pitches are taken' },
        { at: null, text: 'The requester selects a pitch, and its worker delivers' },
        { at: expiryTime, text: 'The task ends' },
        refund,
      ]
    case 'auction':
      return [...auctionSteps(task, bidDeadline), { at: expiryTime, text: 'The task ends' }, refund]
  }
}

function auctionSteps(task: TaskDetail, bidDeadline: string | null): Step[] {
  switch (task.auctionType) {
    case 'dutch':
      return [{ at: task.auctionPriceReachesFloorAt ?? bidDeadline, text: 'The price stays at its floor' }]
    case 'reverse_dutch':
      return [{ at: task.auctionPriceReachesMaxAt ?? bidDeadline, text: 'The price stays at its maximum' }]
    default:
      return [{ at: bidDeadline, text: 'Bidding ends; then anyone can give the task to the lowest bidder' }]
  }
}

function staleAt({ expiryTime, pendingActions }: TaskDetail): string {
  const announcedTime = pendingActions.find(({ action }) => action === 'settle_stale')?.availableAfter
  return announcedTime ?? new Date(Date.parse(expiryTime) + Number(STALE_AFTER_SECONDS) * 1000).toISOString()
}
