import { connectDatabase, type Database } from '../../db/client.ts'
import { createPublicReads, type PublicReads, type ReadOutcome } from './public-reads.ts'
import { createReplica, type ReplicaOptions, type ReplicaState } from './replica.ts'

export interface OpenPublicReads {
  primary: Database
  config: { READ_DATABASE_URLS?: string[] | undefined }
  log: ReplicaOptions['log']
  metrics: { publicRead(outcome: ReadOutcome): void; replicaSeen(state: ReplicaState): void }
  /** Returns the time of a monotonic clock in milliseconds. The default is `performance.now`. */
  now?: () => number
}

/** The time limit in milliseconds of a statement on a replica. After this time, the read is repeated on the primary. */
const STATEMENT_TIMEOUT_MS = 1_000

/** Creates connection pools for the replicas in READ_DATABASE_URLS. A pool connects at its first query. */
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
