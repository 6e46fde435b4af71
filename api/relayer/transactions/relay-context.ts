import type { Logger } from 'pino'
import type { Chain } from '../../chain/chain.ts'
import type { Deployment } from '../../chain/deployment.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import type { ReachFailpoint } from '../../failpoint.ts'
import type { Operation } from '../../intents/operations.ts'
import type { MinedWrite, WriteResult } from '../../intents/write-result.ts'
import type { Observability } from '../../observability/observability.ts'
import type { RelayerServices } from './relayer-services.ts'

/** What the relayer needs of the process. */
export interface RelayerDeps {
  config: Config
  log: Logger
  sql: Database
  chain: Chain
  deployment: Deployment
  relayer: RelayerServices
  observe: Pick<Observability, 'stage' | 'metrics'>
  reach: ReachFailpoint
}

/** What every step of the relayer works with. */
export interface RelayContext {
  deps: RelayerDeps
  /** Computes the result of each operation's mined transaction. */
  results: ReadonlyMap<Operation, (mined: MinedWrite) => WriteResult>
  /** Called when bytes were sent, so that a receipt is looked for. */
  onSent: () => void
}
