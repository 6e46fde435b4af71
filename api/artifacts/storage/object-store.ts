/** A part of an object: first and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The name of an object: an area and a uuid of the service, never a client's choice. Clients write to `uploads` through
 * signed URLs; `artifacts` belong to the service and never change.
 */
export interface ObjectName {
  area: 'uploads' | 'artifacts'
  /** Lower-case uuid. */
  id: string
}

/** The facts about an object that need no reading of it. */
export interface ObjectFacts {
  sizeBytes: number
  /** The version, which differs when the bytes differ, unless an uploader forged two files of one version. */
  version: string
  /** True if two files cannot have one version, so hashes of one version hold for all its copies. */
  isVersionUnique: boolean
}

/** The upload that a signed URL permits. */
export interface UploadPromise {
  sizeBytes: number
  mimeType: string
  /** Unix seconds. */
  expiresAt: number
}

/** The request of an upload: an HTTP PUT of the exact bytes to `url` with these headers. */
export interface UploadTarget {
  url: string
  headers: Record<string, string>
}

/**
 * The storage of files' bytes: a folder of this machine, or an S3-compatible service. Every call may throw
 * StorageUnavailableError.
 */
export interface ObjectStore {
  /**
   * Stores `sizeBytes` bytes atomically: a crash leaves the whole object or none. Errors of `bytes` are passed on, and
   * nothing is stored then. A chunk is valid until two more are requested; its memory may be reused.
   * @throws StorageFullError without room; before reading `bytes` when that is clear already
   * @throws SizeMismatchError when the bytes are more or fewer; reading stops at the first byte too many
   * @throws ObjectExistsError when the name exists and the driver writes each name once
   */
  put: (name: ObjectName, bytes: AsyncIterable<Uint8Array>, sizeBytes: number) => Promise<void>
  /** Returns the facts of an object; null: none exists. */
  stat: (name: ObjectName) => Promise<ObjectFacts | null>
  /** Streams an object, or a range inside it; null: none exists. */
  open: (name: ObjectName, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
  /**
   * Copies an upload to a second, unchanging name; later changes to the upload do not affect it.
   * @throws ObjectChangedError when the upload has another version now
   * @throws StorageFullError without room
   */
  adopt: (upload: string, artifact: string, version: string) => Promise<void>
  /**
   * Returns the request by which a client uploads exactly what `promised` permits.
   * @throws StorageFullError when it is clear already that there is no room
   */
  uploadTarget: (upload: string, promised: UploadPromise) => Promise<UploadTarget>
  /** Deletes an object, if it exists. */
  remove: (name: ObjectName) => Promise<void>
}

/** Thrown when the storage is full; nothing of the object was stored. */
export class StorageFullError extends Error {
  constructor(options: { cause: unknown }) {
    super('artifact storage is full', options)
    this.name = 'StorageFullError'
  }
}

/** Thrown when more or fewer bytes arrived than announced; none of them were stored. */
export class SizeMismatchError extends Error {
  readonly came: 'more' | 'fewer'

  constructor(sizeBytes: number, came: 'more' | 'fewer') {
    super(`an object of ${sizeBytes} bytes came with ${came}`)
    this.name = 'SizeMismatchError'
    this.came = came
  }
}

/** Thrown when an object of this name exists; it stays unchanged. */
export class ObjectExistsError extends Error {
  constructor({ area, id }: ObjectName) {
    super(`there is an object ${id} among the ${area} already`)
    this.name = 'ObjectExistsError'
  }
}

/** Thrown when the storage failed to act or to confirm it; a retry may succeed. */
export class StorageUnavailableError extends Error {
  /** True when the storage refuses permanently, because of a wrong setting. */
  readonly isRefusal: boolean

  constructor({ cause, isRefusal = false }: { cause: unknown; isRefusal?: boolean }) {
    super('artifact storage is not available', { cause })
    this.name = 'StorageUnavailableError'
    this.isRefusal = isRefusal
  }
}

/** Thrown when an upload was replaced after it was read. */
export class ObjectChangedError extends Error {
  constructor(upload: string) {
    super(`the upload ${upload} is not what it was a moment ago`)
    this.name = 'ObjectChangedError'
  }
}
