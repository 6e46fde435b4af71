/** How long the signed URLs of an answer stay valid. */
export const URL_LIFETIME_SECONDS = 15n * 60n

/** A part of an object: first and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** Where artifact bytes live. Names are service-made uuids, never anything a client chose. */
export interface ArtifactStore {
  /**
   * Stores bytes under an id, atomically: a crash leaves the whole object or none.
   * @throws StorageFullError when there is no room
   */
  put: (id: string, bytes: Uint8Array) => Promise<void>
  /** The stored bytes, or a part of them that must lie within; null when there are none. */
  open: (id: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
  /** A URL anybody may GET the bytes from until `expiresAt` (Unix seconds). */
  signedUrl: (id: string, expiresAt: number) => string
  /** Whether a signed URL's parts are genuine and not expired at `now` (Unix seconds). */
  verify: (id: string, expiresAt: number, signature: string, now: number) => boolean
  remove: (id: string) => Promise<void>
}

/** The storage has no room left for an object; nothing of it was kept. */
export class StorageFullError extends Error {
  constructor(options: { cause: unknown }) {
    super('artifact storage is full', options)
    this.name = 'StorageFullError'
  }
}
