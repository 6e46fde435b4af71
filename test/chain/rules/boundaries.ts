import { isTerminal } from '../../../protocol/rules/task-status.ts'
import type { TaskState } from '../indexer/task-states.ts'

/** Every time at which an action may begin or end for a task, Unix seconds. */
export function boundariesOf({ status, view, evaluation }: TaskState): number[] {
  if (isTerminal(status)) return []
  const { expiryTime, pitchDeadline, bidDeadline } = view
  const times = [expiryTime, pitchDeadline, bidDeadline, evaluation.phaseDeadline]
  if (view.hasEvaluator) times.push(expiryTime + evaluation.evaluationWindow)
  return [...new Set(times.filter((time) => time > 0))]
}

/** From the last deadline to the settlement of a task without a decision, seconds. */
const STALE_AFTER = 90 * 24 * 3600

/**
 * The bounds of these times and of the settlement without a decision: the second before, the second itself, the one
 * after; future ones only.
 */
export function edgesOf(task: TaskState, now: number): number[] {
  const times = boundariesOf(task)
  const edges = [...times, ...times.map((time) => time + STALE_AFTER)].flatMap((time) => [time - 1, time, time + 1])
  return [...new Set(edges)].filter((time) => time > now)
}
