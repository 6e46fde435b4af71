import type { Hex } from 'viem'

/** The size and hashes of a file's bytes. */
export interface FileHashes {
  sizeBytes: number
  /** 64 lower-case hex digits. */
  sha256Hash: string
  keccak256Hash: Hex
}

/** Hashes files of any size outside the event loop, a limited number at once. */
export interface FileHasher {
  /**
   * Hashes these bytes as a stream. Errors of the source are passed on.
   * @throws HashingFailed
   */
  hash: (bytes: AsyncIterable<Uint8Array>) => Promise<FileHashes>
  /** Terminates the threads and their jobs; call it only when the process ends. */
  stop: () => Promise<void>
}

/** Thrown when the thread crashed or was terminated during a file. The hashes are unknown, and a retry may succeed. */
export class HashingFailed extends Error {
  constructor(options: { cause: unknown }) {
    super('a file could not be hashed', options)
    this.name = 'HashingFailed'
  }
}
