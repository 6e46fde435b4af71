import type { Hex } from 'viem'

/** Memory shared by both threads: one fills it, the other hashes it. */
export type Block = SharedArrayBuffer

/** The messages to the hashing thread; blocks of one job arrive in order. */
export type HashMessage =
  | { kind: 'chunk'; job: number; block: Block; sizeBytes: number }
  | { kind: 'end'; job: number }
  | { kind: 'abandon'; job: number }

/** The messages of the hashing thread: a block is hashed and free again, or a job is done. */
export type HashAnswer =
  | { kind: 'taken'; block: Block }
  | { kind: 'done'; job: number; sha256Hash: string; keccak256Hash: Hex }
