import { excludesItself } from '../../domain/actions/exclusion.ts'
import { type AnyWrite, taskIdIn, type WriteInput } from '../relayed-write.ts'
import type { TaskTurn, TaskTurns } from '../task-turns.ts'

const freeTurn: TaskTurn = { take: async () => {}, end: () => {} }

/**
 * Creates, in stage 3, the request's turn at its task (see `TaskTurns`), if only one write of this operation can
 * succeed. A request without a payment needs no turn if `paid` is the only mode.
 */
export function turnOf(
  { writes }: { writes: { turnAt: TaskTurns } },
  { write, input, isPaid }: { write: AnyWrite; input: WriteInput; isPaid: boolean },
): TaskTurn {
  const taskId = taskIdIn(input.params)
  const isFirstRound = !isPaid && write.modes.every((mode) => mode === 'paid')
  return taskId === null || isFirstRound || !excludesItself(write.operation) ? freeTurn : writes.turnAt(taskId)
}
