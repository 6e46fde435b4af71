import type { Hex } from 'viem'

/** The outcome of a write, as its client reads it. */
export type Outcome =
  | { kind: 'completed'; txHash: Hex | null; taskId: Hex | null }
  /** The intent is terminal; `reason` is its terminal reason. */
  | { kind: 'failed'; reason: string | null }
  /** Held for an operator. */
  | { kind: 'held' }
  /** No intent has the key. */
  | { kind: 'refused'; status: number; reason: string }
  /** Always a violation: no definite answer before the deadline. */
  | { kind: 'undecided'; last: string }
