import type { Logger } from 'pino'
import type { Semaphore } from '../concurrency/semaphore.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import type { ReachFailpoint } from '../failpoint.ts'
import type { FileHasher } from './hashing/file-hashes.ts'
import type { ObjectStore } from './storage/object-store.ts'

/** The parts of the process that are needed to store and delete files. */
export interface ArtifactDeps {
  config: Config
  log: Logger
  sql: Database
  /** The storage of the files' bytes. */
  storage: ObjectStore
  /** Hashes files outside the event loop. */
  hasher: FileHasher
  /** Limits the number of uploads that the service reads at the same time. */
  uploadSemaphore: Semaphore
  reach: ReachFailpoint
}
