import type { FileHasher, FileHashes } from './hashing/file-hashes.ts'
import type { Spool } from './temporary-file.ts'

/**
 * A file that came as a long text inside a JSON body and was decoded while it arrived: it stands in the body where the
 * text stood. Its bytes are there until its request has been answered.
 */
export class SpooledFile {
  readonly sizeBytes: number
  /** Whether the text was base64 (`decodeBase64` says what that is); nothing is kept of any other. */
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

  /** Known once the body is there. */
  get hashes(): FileHashes {
    if (this.#hashes === null) throw new Error('a spooled file was asked for its hashes before it had any')
    return this.#hashes
  }

  async hashWith(hasher: FileHasher): Promise<void> {
    this.#hashes = await hasher.hash(this.bytes())
  }

  /**
   * From the beginning, each time, each chunk as `Spool.read` says. @throws Error once the request has been answered
   */
  bytes(): AsyncIterable<Uint8Array> {
    return this.#spool.read(this.#start, this.sizeBytes)
  }
}
