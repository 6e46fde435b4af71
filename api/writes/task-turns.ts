import type { Hex } from 'viem'
import { withTimeout } from '../concurrency/with-timeout.ts'

/**
 * The longest time that writes wait for one running write, in milliseconds. After this time, one of the waiting writes
 * proceeds.
 */
const TURN_TIMEOUT_MS = 250
/** The longest total time that one write waits for other writes of the task, in milliseconds. */
const MAX_WAIT_MS = 2_000

/**
 * The turn of one write among the writes at the same task. Normally only one of these writes at a time is simulated and
 * bound.
 */
export interface TaskTurn {
  /**
   * Waits until no other write of the task is in progress. The wait ends early if the intent of the other write is
   * stored (the write is bound), or if the other write takes too long.
   */
  take(): Promise<void>
  /**
   * Ends the turn. `isBound`: true if the write was bound, false if the write failed. The function may be called before
   * `take`. A second call has no effect.
   */
  end(isBound: boolean): void
}

/** A function that gives a new write its place in the queue of the writes at a task. Example: `turnAt(taskId)`. */
export type TaskTurns = (taskId: Hex) => TaskTurn

/**
 * Creates the queue in which the writes at the same task wait for each other, within one process. The first write at a
 * task proceeds until it is bound or refused. Later writes at the task wait meanwhile. The wait saves simulations of
 * writes that would be refused. The database alone decides which write succeeds.
 */
export function createTaskTurns(turnTimeoutMs: number = TURN_TIMEOUT_MS, maxWaitMs: number = MAX_WAIT_MS): TaskTurns {
  const runningTurns = new Map<Hex, Promise<boolean>>()
  return (taskId) => {
    let resolve: (isBound: boolean) => void = () => {}
    const promise = new Promise<boolean>((settle) => {
      resolve = settle
    })
    let isEnded = false
    return {
      take: async () => {
        const until = performance.now() + maxWaitMs
        for (let first = runningTurns.get(taskId); first !== undefined; first = runningTurns.get(taskId)) {
          const isBound = await withTimeout(first, Math.min(turnTimeoutMs, until - performance.now()))
          if (isBound === true || performance.now() >= until) return
          // One of those that waited for a slow write takes its place, and the others wait for that one.
          if (isBound === null && runningTurns.get(taskId) === first) break
        }
        if (!isEnded) runningTurns.set(taskId, promise)
      },
      end: (isBound) => {
        isEnded = true
        if (runningTurns.get(taskId) === promise) runningTurns.delete(taskId)
        resolve(isBound)
      },
    }
  }
}
