import type { ArtifactDeps } from '../artifacts/artifact-deps.ts'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { PasswordHasher } from '../identity/password-hasher.ts'
import type { Observability } from '../observability/observability.ts'
import type { IndexedHeadWatch } from '../read-model/watch-indexed-head.ts'
import type { WriteServices } from './write-services.ts'

/** The parts of the process for the request side of a write. */
export interface WriteDeps extends ArtifactDeps {
  /** The chain, whose head's time is the time of every rule. */
  chain: Chain
  deployment: Deployment
  /** The newest indexed block, which shows if rows are missing. */
  indexedHead: Pick<IndexedHeadWatch, 'current'>
  observe: Pick<Observability, 'stage'>
  /** Hashes passwords, a limited number at a time. */
  passwords: PasswordHasher
  /** The pipeline's state in this process. */
  writes: WriteServices
}
