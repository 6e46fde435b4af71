import { excludesItself } from '../../domain/actions/exclusion.ts'
import { type AnyWrite, taskIdIn, type WriteInput } from '../relayed-write.ts'
import type { TaskTurn, TaskTurns } from '../task-turns.ts'

const freeTurn: TaskTurn = { take: async () => {}, end: () => {} }

/**
 * Returns the request's turn at its task in stage 3 (see `TaskTurn`). The request gets its turn at once, without
 * waiting for other requests, in three cases: it names no task, concurrent writes of its operation do not exclude each
 * other, or a required payment is still missing.
 */
export function turnOf(
  { writes }: { writes: { turnAt: TaskTurns } },
  { write, input, isPaid }: { write: AnyWrite; input: WriteInput; isPaid: boolean },
): TaskTurn {
  const taskId = taskIdIn(input.params)
  const isFirstRound = !isPaid && write.modes.every((mode) => mode === 'paid')
  return taskId === null || isFirstRound || !excludesItself(write.operation) ? freeTurn : writes.turnAt(taskId)
}
