import type { Hex } from 'viem'

/** What became of a write, as its client knows in the end. */
export type Outcome =
  | { kind: 'completed'; txHash: Hex | null; taskId: Hex | null; acknowledged: boolean }
  /** The intent is terminal; `reason` is its own. */
  | { kind: 'failed'; reason: string | null }
  /** Kept for an operator. */
  | { kind: 'held' }
  /** Nothing was recorded under the key. */
  | { kind: 'refused'; status: number; reason: string }
  /** Never right: the outcome was not known in time. */
  | { kind: 'undecided'; last: string }
