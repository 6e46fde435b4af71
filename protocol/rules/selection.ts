import type { TaskStatus } from './task-status.ts'

/** Ways in which a worker was assigned: the contract's `SelectionKind`, in its order. */
export const selectionKinds = ['claim', 'pitch', 'bid', 'clock_price'] as const

export type SelectionKind = (typeof selectionKinds)[number]

/**
 * Returns the kind of the contract's enum value. Example: `toSelectionKind(3)` is `clock_price`.
 * @throws beyond the enum, which our own contract never logs
 */
export function toSelectionKind(contractKind: number): SelectionKind {
  const kind = selectionKinds[contractKind]
  if (kind === undefined) throw new Error(`the market logged selection kind ${contractKind}`)
  return kind
}

/**
 * Returns the status of a task after the assignment of a worker. Spec, "States and transitions".
 * Example: `worker_selected` after a pitch, `claimed` after a bid.
 */
export function statusAfterSelection(kind: SelectionKind): TaskStatus {
  return kind === 'pitch' ? 'worker_selected' : 'claimed'
}
