import type { Logger } from 'pino'
import type { Semaphore } from '../concurrency/semaphore.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import type { ReachFailpoint } from '../failpoint.ts'
import type { FileHasher } from './hashing/file-hashes.ts'
import type { ObjectStore } from './storage/object-store.ts'

/** What the storing and deleting of files needs of the process. */
export interface ArtifactDeps {
  config: Config
  log: Logger
  sql: Database
  /** Where the bytes of files are kept. */
  storage: ObjectStore
  /** Hashes files beside the event loop. */
  hasher: FileHasher
  /** Bounds how many uploads are read at a time. */
  uploadSemaphore: Semaphore
  reach: ReachFailpoint
}
