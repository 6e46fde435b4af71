import type { FileHasher, FileHashes } from './hashing/file-hashes.ts'
import type { Spool } from './temporary-file.ts'

/**
 * A file that arrived as a long base64 text in a JSON body. This object replaces the text in the parsed body. The bytes
 * exist until the request is answered.
 */
export class SpooledFile {
  readonly sizeBytes: number
  /** True if the text is valid base64 as `decodeBase64` defines it. If false, this object has no stored bytes. */
  readonly isBase64: boolean
  readonly #spool: Spool
  readonly #start: number
  #hashes: FileHashes | null = null

  constructor(spool: Spool, { start, sizeBytes, isBase64 }: { start: number; sizeBytes: number; isBase64: boolean }) {
    this.sizeBytes = sizeBytes
    this.isBase64 = isBase64
    this.#spool = spool
    this.#start = start
  }

  /** The hashes of the bytes. They are available after the whole body has arrived. */
  get hashes(): FileHashes {
    if (this.#hashes === null) throw new Error('a spooled file was asked for its hashes before it had any')
    return this.#hashes
  }

  async hashWith(hasher: FileHasher): Promise<void> {
    this.#hashes = await hasher.hash(this.bytes())
  }

  /**
   * Reads the bytes from the beginning. For the lifetime of a chunk, see `Spool.read`.
   * @throws Error after the request was answered
   */
  bytes(): AsyncIterable<Uint8Array> {
    return this.#spool.read(this.#start, this.sizeBytes)
  }
}
