import type { TaskStatus } from './task-status.ts'

/** How a worker came to be assigned: the contract's `SelectionKind`, in its order. */
export const selectionKinds = ['claim', 'pitch', 'bid', 'clock_price'] as const

export type SelectionKind = (typeof selectionKinds)[number]

/** The kind of the contract's enum value. @throws beyond the enum: our own contract never logs it */
export function toSelectionKind(contractKind: number): SelectionKind {
  const kind = selectionKinds[contractKind]
  if (kind === undefined) throw new Error(`the market logged selection kind ${contractKind}`)
  return kind
}

/** Where a task stands once a worker is assigned. Spec, "States and transitions". */
export function statusAfterSelection(kind: SelectionKind): TaskStatus {
  return kind === 'pitch' ? 'worker_selected' : 'claimed'
}
