import type { Logger } from 'pino'
import type { Analytics } from './analytics/analytics.ts'
import type { FileHasher } from './artifacts/hashing/file-hashes.ts'
import type { FileLinks } from './artifacts/storage/file-links.ts'
import type { ObjectStore } from './artifacts/storage/object-store.ts'
import type { Chain } from './chain/chain.ts'
import type { Deployment } from './chain/deployment.ts'
import type { TakeTurn } from './concurrency/semaphore.ts'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import type { Passwords } from './identity/passwords.ts'
import type { Observability } from './observability/observability.ts'
import type { Legal } from './writes/legal-acceptance.ts'
import type { WriteServices } from './writes/write-services.ts'

/** Everything the service is made of; tests hand in their own. */
export interface Deps {
  config: Config
  log: Logger
  /** One pool for both schemas: `service` (ours) and the indexer's views. */
  sql: Database
  deployment: Deployment
  /** Reads and relays; its head's time is the time of every rule. */
  chain: Chain
  /** Where the bytes of files live. */
  storage: ObjectStore
  /** Signed URLs of this service. */
  links: FileLinks
  /** Hashes files beside the event loop. */
  hasher: FileHasher
  /** Reads uploads, so many at a time. */
  uploadTurns: TakeTurn
  /** The policies, and whether writes need their acceptance. */
  legal: Legal
  /** SQL of strangers over the read model. */
  analytics: Analytics
  /** What the write pipeline keeps in this process. */
  writes: WriteServices
  /** Slow hashes of passwords, so many at a time. */
  passwords: Passwords
  /** What the operator is told: metrics, readiness. */
  observe: Observability
}
