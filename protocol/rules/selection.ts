import type { TaskStatus } from './task-status.ts'

/** Ways in which a worker can be assigned, in the order of the contract's enum `SelectionKind`. */
export const selectionKinds = ['claim', 'pitch', 'bid', 'clock_price'] as const

export type SelectionKind = (typeof selectionKinds)[number]

/**
 * Returns the name of a value of the contract's enum `SelectionKind` (how a worker was assigned).
 * Example: `toSelectionKind(3)` is `clock_price`.
 * @throws if the number is not in the enum; our own contract never logs such a number
 */
export function toSelectionKind(contractKind: number): SelectionKind {
  const kind = selectionKinds[contractKind]
  if (kind === undefined) throw new Error(`the market logged selection kind ${contractKind}`)
  return kind
}

/**
 * Returns the status of a task after a worker was assigned in the given way (specification, "States and transitions").
 * Example: `worker_selected` after the selection of a pitch, `claimed` after a bid.
 */
export function statusAfterSelection(kind: SelectionKind): TaskStatus {
  return kind === 'pitch' ? 'worker_selected' : 'claimed'
}
