import type { Hex } from 'viem'

/** What the service tells the hashing thread; chunks of one job come in order. */
export type HashMessage =
  | { kind: 'chunk'; job: number; chunk: Uint8Array }
  | { kind: 'end'; job: number }
  | { kind: 'abandon'; job: number }

/** What the thread answers: a chunk is hashed, or a job is done. */
export type HashAnswer =
  | { kind: 'taken'; job: number }
  | { kind: 'done'; job: number; sha256Hash: string; keccak256Hash: Hex }
