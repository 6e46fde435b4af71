import type { ArtifactDeps } from '../artifacts/artifact-deps.ts'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { PasswordHasher } from '../identity/password-hasher.ts'
import type { Observability } from '../observability/observability.ts'
import type { IndexedHeadWatch } from '../read-model/watch-indexed-head.ts'
import type { WriteServices } from './write-services.ts'

/** The parts of the process that a write's request uses. */
export interface WriteDeps extends ArtifactDeps {
  /** The chain. The timestamp of its latest block is the current time of every rule. */
  chain: Chain
  deployment: Deployment
  /** The newest indexed block. It shows whether the read model lacks rows. */
  indexedHead: Pick<IndexedHeadWatch, 'current'>
  observe: Pick<Observability, 'stage'>
  /** Hashes passwords; the number of concurrent hashes is limited. */
  passwords: PasswordHasher
  /** The state of the write pipeline in this process. */
  writes: WriteServices
}
