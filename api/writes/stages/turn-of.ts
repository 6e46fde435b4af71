import { excludesItself } from '../../domain/actions/exclusion.ts'
import { type AnyWrite, taskIdIn, type WriteInput } from '../relayed-write.ts'
import type { TaskTurn, TaskTurns } from '../task-turns.ts'

const freeTurn: TaskTurn = { take: async () => {}, end: () => {} }

/**
 * Stage 3: makes the turn of a request at its task, where its write excludes others of its kind. The first round of a payment binds
 * nothing, and waits for no other write.
 */
export function turnOf(
  { writes }: { writes: { turnAt: TaskTurns } },
  { write, input, isPaid }: { write: AnyWrite; input: WriteInput; isPaid: boolean },
): TaskTurn {
  const taskId = taskIdIn(input.params)
  const isFirstRound = !isPaid && write.modes.every((mode) => mode === 'paid')
  return taskId === null || isFirstRound || !excludesItself(write.operation) ? freeTurn : writes.turnAt(taskId)
}
