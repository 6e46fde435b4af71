import type { Hex } from 'viem'

/** What a file's bytes are known by. */
export interface FileHashes {
  sizeBytes: number
  /** 64 lower-case hex digits. */
  sha256Hash: string
  keccak256Hash: Hex
}

/** Hashes files of any size beside the event loop, so many at a time. */
export interface FileHasher {
  /**
   * Both hashes of these bytes, read as fast as they can be hashed and not kept; what the source throws is thrown on.
   * @throws HashingFailed
   */
  hash: (bytes: AsyncIterable<Uint8Array>) => Promise<FileHashes>
  /** Ends the threads, and whatever they are at; only a process that ends calls it. */
  stop: () => Promise<void>
}

/** The thread has died or was ended over a file; nothing is known of it, and another try may do. */
export class HashingFailed extends Error {
  constructor(options: { cause: unknown }) {
    super('a file could not be hashed', options)
    this.name = 'HashingFailed'
  }
}
