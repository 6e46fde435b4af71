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
  /** Differs when the bytes differ, unless an uploader made two files of the same version. */
  version: string
  /** Whether not even that: what was read of one version is true of all copies of it. */
  isVersionUnique: boolean
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
 * Where the bytes of files live: a folder of this machine, or an S3-compatible service. Every call may end with a
 * StorageUnavailableError.
 */
export interface ObjectStore {
  /**
   * Stores `sizeBytes` bytes, atomically: a crash leaves the whole object or none. What `bytes` throws is thrown on,
   * and nothing is kept then. A chunk is there only until two more were asked for: its memory may be used again.
   * @throws StorageFullError when there is no room; no byte was asked for if that was clear before
   * @throws SizeMismatchError when the bytes are more or fewer; of more, none is read beyond the one that is too many
   * @throws ObjectExistsError when the name is taken and the driver writes each name once
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
  /**
   * Where a client PUTs an upload, as promised and not otherwise.
   * @throws StorageFullError when it is clear by now that there is no room
   */
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

/** More or fewer bytes came than were to be stored; nothing of them was kept. */
export class SizeMismatchError extends Error {
  readonly came: 'more' | 'fewer'

  constructor(sizeBytes: number, came: 'more' | 'fewer') {
    super(`an object of ${sizeBytes} bytes came with ${came}`)
    this.name = 'SizeMismatchError'
    this.came = came
  }
}

/** There is an object of this name, and it stays as it is. */
export class ObjectExistsError extends Error {
  constructor({ area, id }: ObjectName) {
    super(`there is an object ${id} among the ${area} already`)
    this.name = 'ObjectExistsError'
  }
}

/** The storage did not do what it was asked to, or did not say so; asked again later, it may. */
export class StorageUnavailableError extends Error {
  /** The storage is there and says no: something about it is set wrong, and waiting will not help. */
  readonly isRefusal: boolean

  constructor({ cause, isRefusal = false }: { cause: unknown; isRefusal?: boolean }) {
    super('artifact storage is not available', { cause })
    this.name = 'StorageUnavailableError'
    this.isRefusal = isRefusal
  }
}

/** An upload was replaced between two looks at it. */
export class ObjectChangedError extends Error {
  constructor(upload: string) {
    super(`the upload ${upload} is not what it was a moment ago`)
    this.name = 'ObjectChangedError'
  }
}
