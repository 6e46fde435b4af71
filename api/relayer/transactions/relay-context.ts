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

/** The parts of the process that the relayer uses. */
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

/** The values that every step of the relayer receives. */
export interface RelayContext {
  deps: RelayerDeps
  /** The functions that build the result of a mined transaction, by operation. */
  results: ReadonlyMap<Operation, (write: MinedWrite) => WriteResult>
  /** Called after a transaction was sent. The receipt is then checked soon. */
  onSent: () => void
}
