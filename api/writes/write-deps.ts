import type { ArtifactDeps } from '../artifacts/artifact-deps.ts'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { PasswordHasher } from '../identity/password-hasher.ts'
import type { Observability } from '../observability/observability.ts'
import type { IndexedHeadWatch } from '../read-model/watch-indexed-head.ts'
import type { WriteServices } from './write-services.ts'

/** What the request side of a write needs of the process. */
export interface WriteDeps extends ArtifactDeps {
  /** Its head's time is the time of every rule. */
  chain: Chain
  deployment: Deployment
  /** The newest indexed block, which tells whether rows are missing. */
  indexedHead: Pick<IndexedHeadWatch, 'current'>
  observe: Pick<Observability, 'stage'>
  /** Hashes passwords, a bounded number at a time. */
  passwords: PasswordHasher
  /** What the pipeline keeps in this process. */
  writes: WriteServices
}
