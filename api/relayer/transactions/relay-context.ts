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

/** The parts of the process for the relayer. */
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

/** The parts of every step of the relayer. */
export interface RelayContext {
  deps: RelayerDeps
  /** The functions that build the result of each operation's mined transaction. */
  results: ReadonlyMap<Operation, (mined: MinedWrite) => WriteResult>
  /** Called after bytes were sent, so that a receipt is awaited. */
  onSent: () => void
}
