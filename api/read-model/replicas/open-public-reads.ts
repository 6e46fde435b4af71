import { connectDatabase, type Database } from '../../db/client.ts'
import { createPublicReads, type PublicReads, type ReadOutcome } from './public-reads.ts'
import { createReplica, type ReplicaOptions, type ReplicaState } from './replica.ts'

export interface OpenPublicReads {
  primary: Database
  config: { READ_DATABASE_URLS?: string[] | undefined }
  log: ReplicaOptions['log']
  metrics: { publicRead(outcome: ReadOutcome): void; replicaSeen(state: ReplicaState): void }
  /** Milliseconds of a clock that only moves forward. */
  now?: () => number
}

/** A statement that takes longer on a replica is ended: by then the primary has been asked. */
const STATEMENT_TIMEOUT_MS = 1_000

/** Opens pools of the replicas in READ_DATABASE_URLS; connects lazily. */
export function openPublicReads({ primary, config, log, metrics, now }: OpenPublicReads): PublicReads {
  const replicas = (config.READ_DATABASE_URLS ?? []).map((url) =>
    createReplica({
      name: new URL(url).host,
      sql: connectDatabase({ url, statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
      log,
      onState: metrics.replicaSeen,
    }),
  )
  return createPublicReads({ primary, replicas, count: metrics.publicRead, ...(now && { now }) })
}
