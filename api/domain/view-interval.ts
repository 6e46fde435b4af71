import { clockOf } from '../../protocol/clock-price.ts'
import type { TimeWindow } from './actions/action-rule.ts'
import { listRules } from './actions/action-rules.ts'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * The longest time around `now` (chain head's time, Unix seconds) in which everything that a task shows of time stays
 * the same: phase, offers, windows, sealed bids. `from <= now < until`; null: no bound. The price of a clock that runs
 * stays for its second alone.
 */
export function viewIntervalAt(task: TaskSnapshot, now: bigint): TimeWindow {
  if (isClockRunning(task, now)) return { from: now, until: now + 1n }
  let from: bigint | null = null
  let until: bigint | null = null
  for (const turn of listTurns(task)) {
    if (turn <= now && (from === null || turn > from)) from = turn
    if (turn > now && (until === null || turn < until)) until = turn
  }
  return { from, until }
}

/** The next time at which anything but a running clock's price changes, Unix seconds; null: never. */
export function nextTurnAfter(task: TaskSnapshot, now: bigint): bigint | null {
  return listTurns(task).reduce<bigint | null>(
    (next, turn) => (turn > now && (next === null || turn < next) ? turn : next),
    null,
  )
}

/** Says whether a time is in a window. Example: `isWithin({ from: 5n, until: null }, 5n)` is true. */
export function isWithin({ from, until }: TimeWindow, now: bigint): boolean {
  return (from === null || from <= now) && (until === null || now < until)
}

/** The times from which on something else is shown: deadlines, and the edges of every rule's window with its notice. */
function listTurns(task: TaskSnapshot): bigint[] {
  const turns = [task.createdAt, task.expiryTime]
  if (task.bidDeadline !== null) turns.push(task.bidDeadline)
  for (const rule of listRules(task)) {
    const { from, until } = rule.window(task)
    if (from !== null) turns.push(from, from - (rule.noticeSeconds ?? 0n))
    if (until !== null) turns.push(until)
  }
  return turns
}

function isClockRunning(task: TaskSnapshot, now: bigint): boolean {
  const clock = task.status === 'open' ? clockOf(task) : null
  return clock !== null && clock.createdAt <= now && now < clock.bidDeadline
}
