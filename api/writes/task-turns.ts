import type { Hex } from 'viem'
import { withTimeout } from '../concurrency/with-timeout.ts'

/** Longest wait for one write, milliseconds: a slow one, such as of a contract wallet, loses its turn. */
const TURN_TIMEOUT_MS = 250
/** Longest wait of a write in all, milliseconds. */
const MAX_WAIT_MS = 2_000

/** The turn of one write at its task. */
export interface TaskTurn {
  /** Waits until no other write is on its way to its bind, or until one of them was bound: the rows show that one. */
  take(): Promise<void>
  /** Ends the turn, also one that was not taken; of no effect the second time. */
  end(isBound: boolean): void
}

/** Makes turns at a task. Example: `turnAt(taskId)`. */
export type TaskTurns = (taskId: Hex) => TaskTurn

/**
 * Creates the turns of a process. They spare losers of a race the work, and the node their simulations: of writes that exclude one
 * another at a task, the first goes on to its bind, and the others wait for it. They decide nothing. Once a write is bound, or
 * after a while, the others go on at the same time, and the rows say which of them are refused.
 */
export function createTaskTurns(turnTimeoutMs: number = TURN_TIMEOUT_MS, maxWaitMs: number = MAX_WAIT_MS): TaskTurns {
  const running = new Map<Hex, Promise<boolean>>()
  return (taskId) => {
    let resolve: (isBound: boolean) => void = () => {}
    const promise = new Promise<boolean>((settle) => {
      resolve = settle
    })
    let isEnded = false
    return {
      take: async () => {
        const until = performance.now() + maxWaitMs
        for (let first = running.get(taskId); first !== undefined; first = running.get(taskId)) {
          const isBound = await withTimeout(first, Math.min(turnTimeoutMs, until - performance.now()))
          if (isBound === true || performance.now() >= until) return
          // One of those that waited for a slow write takes its place, and the others wait for that one.
          if (isBound === null && running.get(taskId) === first) break
        }
        if (!isEnded) running.set(taskId, promise)
      },
      end: (isBound) => {
        isEnded = true
        if (running.get(taskId) === promise) running.delete(taskId)
        resolve(isBound)
      },
    }
  }
}
