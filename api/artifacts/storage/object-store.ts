/** A part of an object: the indexes of its first and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The name of an object: a storage area and a uuid. `uploads`: clients write these objects through signed URLs.
 * `artifacts`: only the service writes these objects, and they never change.
 */
export interface ObjectName {
  area: 'uploads' | 'artifacts'
  /** The object's uuid in lower case. */
  id: string
}

/** The facts about an object that are available without reading it. */
export interface ObjectFacts {
  sizeBytes: number
  /**
   * The version of the object. Different bytes have different versions, except if an uploader forges equal versions.
   */
  version: string
  /** True if two different files never have the same version. Then all copies of one version have the same hashes. */
  isVersionUnique: boolean
}

/** The upload that a signed URL permits. */
export interface UploadPromise {
  sizeBytes: number
  mimeType: string
  /** The time at which the URL expires, in Unix seconds. */
  expiresAt: number
}

/** The request with which a client uploads: an HTTP PUT of exactly the announced bytes to `url` with `headers`. */
export interface UploadTarget {
  url: string
  headers: Record<string, string>
}

/**
 * The storage of files' bytes: a folder on this machine, or an S3-compatible service. Every method may throw
 * StorageUnavailableError.
 */
export interface ObjectStore {
  /**
   * Stores `sizeBytes` bytes atomically: after a crash, the whole object exists or nothing. If `bytes` fails, nothing
   * is stored and the error is rethrown. The source `bytes` may reuse the memory of a chunk after two further chunks
   * were requested.
   * @throws StorageFullError if the storage has no room; thrown before `bytes` is read if the storage can tell so early
   * @throws SizeMismatchError if `bytes` has more or fewer bytes
   * @throws ObjectExistsError if the name exists and this store does not replace objects
   */
  put: (name: ObjectName, bytes: AsyncIterable<Uint8Array>, sizeBytes: number) => Promise<void>
  /** Returns the size and version of an object, or null if it does not exist. */
  stat: (name: ObjectName) => Promise<ObjectFacts | null>
  /** Streams an object or a range of its bytes; null if the object does not exist. */
  open: (name: ObjectName, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
  /**
   * Copies an upload to an artifact. Later changes of the upload do not change the artifact.
   * @throws ObjectChangedError if the upload now has a version that differs from `version`
   * @throws StorageFullError if the storage has no room
   */
  adopt: (upload: string, artifact: string, version: string) => Promise<void>
  /**
   * Returns the request with which a client uploads exactly the bytes that `uploadPromise` permits.
   * @throws StorageFullError if the storage is known to have no room
   */
  uploadTarget: (upload: string, uploadPromise: UploadPromise) => Promise<UploadTarget>
  /** Deletes an object if it exists. */
  remove: (name: ObjectName) => Promise<void>
}

/** Thrown when the storage is full. No byte of the object was stored. */
export class StorageFullError extends Error {
  constructor(options: { cause: unknown }) {
    super('artifact storage is full', options)
    this.name = 'StorageFullError'
  }
}

/** Thrown when more or fewer bytes arrived than announced. None of them were stored. */
export class SizeMismatchError extends Error {
  readonly came: 'more' | 'fewer'

  constructor(sizeBytes: number, direction: 'more' | 'fewer') {
    super(`an object of ${sizeBytes} bytes came with ${direction}`)
    this.name = 'SizeMismatchError'
    this.came = direction
  }
}

/** Thrown when an object with this name exists. The object was not changed. */
export class ObjectExistsError extends Error {
  constructor({ area, id }: ObjectName) {
    super(`there is an object ${id} among the ${area} already`)
    this.name = 'ObjectExistsError'
  }
}

/** Thrown when the storage failed or did not confirm an operation. A retry may succeed. */
export class StorageUnavailableError extends Error {
  /** True if the storage refuses permanently because of a wrong setting. */
  readonly isRefusal: boolean

  constructor({ cause, isRefusal = false }: { cause: unknown; isRefusal?: boolean }) {
    super('artifact storage is not available', { cause })
    this.name = 'StorageUnavailableError'
    this.isRefusal = isRefusal
  }
}

/** Thrown when an upload was replaced after its version was read. */
export class ObjectChangedError extends Error {
  constructor(upload: string) {
    super(`the upload ${upload} is not what it was a moment ago`)
    this.name = 'ObjectChangedError'
  }
}
