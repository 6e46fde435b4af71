import { clockOf } from '../../protocol/clock-price.ts'
import type { TimeWindow } from './actions/action-rule.ts'
import { listRules } from './actions/action-rules.ts'
import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Returns the longest interval around `now` in which the visible parts of a task do not change: phase, pending actions,
 * windows and sealed bids. `now` is the time of the latest block in Unix seconds. While a clock price runs, the
 * interval is one second. A null bound means no limit.
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

/**
 * Returns the next time after `now`, in Unix seconds, at which the passing of time alone may change a visible part of
 * the task, such as an action that becomes possible. Returns null if there is no such time. The falling price of a
 * clock auction does not count.
 */
export function nextTurnAfter(task: TaskSnapshot, now: bigint): bigint | null {
  return listTurns(task).reduce<bigint | null>(
    (next, turn) => (turn > now && (next === null || turn < next) ? turn : next),
    null,
  )
}

/** Returns true if a time lies within a window. Example: `isWithin({ from: 5n, until: null }, 5n)` returns true. */
export function isWithin({ from, until }: TimeWindow, now: bigint): boolean {
  return (from === null || from <= now) && (until === null || now < until)
}

/**
 * Returns the times at which the public form of a task can change: the task's creation and deadlines, and the
 * announcement, start and end of each action.
 */
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
