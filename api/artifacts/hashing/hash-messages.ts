import type { Hex } from 'viem'

/**
 * Memory that the main thread and the hashing thread share. The main thread fills it, and the hashing thread hashes the
 * content.
 */
export type Block = SharedArrayBuffer

/**
 * The messages to the hashing thread. A job hashes one file. The memory blocks of a job are sent in the order of the
 * file's bytes.
 */
export type HashMessage =
  | { kind: 'chunk'; job: number; block: Block; sizeBytes: number }
  | { kind: 'end'; job: number }
  | { kind: 'abandon'; job: number }

/**
 * The messages from the hashing thread. `taken`: a memory block was hashed and is free again. `done`: the hashes of a
 * job are complete.
 */
export type HashAnswer =
  | { kind: 'taken'; block: Block }
  | { kind: 'done'; job: number; sha256Hash: string; keccak256Hash: Hex }
