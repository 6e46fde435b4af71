import type { FileHasher, FileHashes } from './hashing/file-hashes.ts'
import type { Spool } from './temporary-file.ts'

/**
 * A file that arrived as a long text inside a JSON body and was decoded on arrival. It replaces that text in the body.
 * Its bytes exist until the request is answered.
 */
export class SpooledFile {
  readonly sizeBytes: number
  /** True if the text was base64 in the sense of `decodeBase64`; other texts are not stored. */
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

  /** The hashes, available once the body has arrived. */
  get hashes(): FileHashes {
    if (this.#hashes === null) throw new Error('a spooled file was asked for its hashes before it had any')
    return this.#hashes
  }

  async hashWith(hasher: FileHasher): Promise<void> {
    this.#hashes = await hasher.hash(this.bytes())
  }

  /**
   * Reads the bytes from the beginning; chunks have the lifetime that `Spool.read` describes. @throws Error after the
   * request was answered
   */
  bytes(): AsyncIterable<Uint8Array> {
    return this.#spool.read(this.#start, this.sizeBytes)
  }
}
