import type { Hex } from 'viem'

/** The size and hashes of a file's bytes. */
export interface FileHashes {
  sizeBytes: number
  /** The SHA-256 of the bytes as 64 lower-case hex digits. */
  sha256Hash: string
  keccak256Hash: Hex
}

/** Hashes files of any size outside the event loop, with limited memory. */
export interface FileHasher {
  /**
   * Hashes a stream of bytes. Errors of the stream are rethrown.
   * @throws HashingFailed
   */
  hash: (bytes: AsyncIterable<Uint8Array>) => Promise<FileHashes>
  /** Terminates the threads and their jobs. Call it only when the process ends. */
  stop: () => Promise<void>
}

/** The error for a thread that crashed or was terminated while it hashed a file. A retry may succeed. */
export class HashingFailed extends Error {
  constructor(options: { cause: unknown }) {
    super('a file could not be hashed', options)
    this.name = 'HashingFailed'
  }
}
