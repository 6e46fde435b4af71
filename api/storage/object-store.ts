/** A part of an object: first and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The name of an object: an area and a uuid the service made, never anything a client chose. Clients write to `uploads`
 * through the URL they were given; `artifacts` are the service's alone, and never change.
 */
export interface ObjectName {
  area: 'uploads' | 'artifacts'
  /** Lower-case uuid. */
  id: string
}

/** What the storage knows of an object without reading it. */
export interface ObjectFacts {
  sizeBytes: number
  /** Another one whenever the bytes are others. */
  version: string
}

/** What a client was promised to be able to upload. */
export interface UploadPromise {
  sizeBytes: number
  mimeType: string
  /** Unix seconds. */
  expiresAt: number
}

/** How a client uploads: an HTTP PUT of the exact bytes to `url` with these headers. */
export interface UploadTarget {
  url: string
  headers: Record<string, string>
}

/**
 * Where the bytes of files live: a folder of this machine, or an S3-compatible service. Of the latter every call may
 * end with a StorageUnavailableError.
 */
export interface ObjectStore {
  /**
   * Stores `sizeBytes` bytes, atomically: a crash leaves the whole object or none.
   * @throws StorageFullError when there is no room; Error when the bytes are more or fewer
   */
  put: (name: ObjectName, bytes: AsyncIterable<Uint8Array>, sizeBytes: number) => Promise<void>
  /** What is stored under a name; null: nothing. */
  stat: (name: ObjectName) => Promise<ObjectFacts | null>
  /** The stored bytes, or a part of them that must lie within; null when there are none. */
  open: (name: ObjectName, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
  /**
   * Gives an upload's bytes a second, unchanging name; what is done to the upload later does not touch them.
   * @throws ObjectChangedError when the upload is not of that version any more
   * @throws StorageFullError when there is no room
   */
  adopt: (upload: string, artifact: string, version: string) => Promise<void>
  /** Where a client PUTs an upload, as promised and not otherwise. */
  uploadTarget: (upload: string, promised: UploadPromise) => Promise<UploadTarget>
  /** Ends an object; of one that is not there, nothing. */
  remove: (name: ObjectName) => Promise<void>
}

/** The storage has no room left for an object; nothing of it was kept. */
export class StorageFullError extends Error {
  constructor(options: { cause: unknown }) {
    super('artifact storage is full', options)
    this.name = 'StorageFullError'
  }
}

/** The storage did not do what it was asked to, or did not say so; asked again later, it may. */
export class StorageUnavailableError extends Error {
  constructor(options: { cause: unknown }) {
    super('artifact storage is not available', options)
    this.name = 'StorageUnavailableError'
  }
}

/** An upload was replaced between two looks at it. */
export class ObjectChangedError extends Error {
  constructor(upload: string) {
    super(`the upload ${upload} is not what it was a moment ago`)
    this.name = 'ObjectChangedError'
  }
}
