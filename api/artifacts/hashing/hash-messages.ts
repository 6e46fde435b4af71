import type { Hex } from 'viem'

/** Bytes that both threads see: filled on one side, then hashed on the other. */
export type Block = SharedArrayBuffer

/** What the service tells the hashing thread; blocks of one job come in order. */
export type HashMessage =
  | { kind: 'chunk'; job: number; block: Block; sizeBytes: number }
  | { kind: 'end'; job: number }
  | { kind: 'abandon'; job: number }

/** What the thread answers: a block is hashed and free again, or a job is done. */
export type HashAnswer =
  | { kind: 'taken'; block: Block }
  | { kind: 'done'; job: number; sha256Hash: string; keccak256Hash: Hex }
