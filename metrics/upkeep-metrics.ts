import { type Metric, SECONDS } from './metric.ts'

/**
 * The metrics of an API process about the database, files, the check that amounts in the database agree with the
 * contracts, analysts' SQL, and background loops.
 */
export const upkeepMetrics = {
  taskmarket_database_wait_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning: 'an empty query through the pool, waiting for a connection included',
  },
  taskmarket_database_connections: {
    type: 'gauge',
    unit: 'connections',
    labels: { state: 'states of `pg_stat_activity`' },
    meaning: 'connections of all processes of the service',
  },
  taskmarket_database_size_bytes: { type: 'gauge', unit: 'bytes', meaning: 'size of the database, without the log' },
  taskmarket_database_wal_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    meaning: 'position in the write-ahead log: its rate is what the primary writes',
  },
  taskmarket_database_retained_wal_bytes: {
    type: 'gauge',
    unit: 'bytes',
    meaning: 'log that the slowest replication slot keeps; 0 without a slot',
  },
  taskmarket_database_standbys: {
    type: 'gauge',
    unit: 'connections',
    meaning: 'connections that stream the log: standbys, and backups in progress',
  },
  taskmarket_public_reads_total: {
    type: 'counter',
    unit: 'reads',
    labels: { outcome: '`replica`, and why a read went to the primary' },
    meaning: 'reads of lists and details with `READ_DATABASE_URLS`, by where they were answered',
  },
  taskmarket_replica_usable: {
    type: 'gauge',
    unit: '0 or 1',
    labels: { replica: 'host and port of `READ_DATABASE_URLS`' },
    meaning: 'whether reads are tried on a replica',
  },
  taskmarket_replica_lag_blocks: {
    type: 'gauge',
    unit: 'blocks',
    labels: { replica: 'host and port of `READ_DATABASE_URLS`' },
    meaning: 'indexed blocks that a replica is behind the primary; absent when it gives no answer or is no standby',
  },
  taskmarket_disk_free_bytes: {
    type: 'gauge',
    unit: 'bytes',
    labels: { area: '`files` (`ARTIFACT_DIR`), `standby` (`STANDBY_DATA_DIRECTORY`)' },
    meaning: 'room for this process on the disk of the folder',
  },
  taskmarket_disk_size_bytes: {
    type: 'gauge',
    unit: 'bytes',
    labels: { area: '`files`, `standby`' },
    meaning: 'size of that disk',
  },
  taskmarket_files_to_remove: {
    type: 'gauge',
    unit: 'files',
    labels: { area: '`uploads`, `artifacts`' },
    meaning: 'files without a use whose bytes still exist',
  },
  taskmarket_export_age_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning:
      'since the newest export was made, or since the start of the process where it finds none; absent without `EXPORTS_DIR` and `EXPORTS_URL`',
  },
  taskmarket_certificate_remaining_days: {
    type: 'gauge',
    unit: 'days',
    labels: { setting: '`PUBLIC_BASE_URL`, `ARTIFACT_BASE_URL`' },
    meaning: 'until the certificate of the URL expires, as last read; absent for `http` and while none could be read',
  },
  taskmarket_books_difference: {
    type: 'gauge',
    unit: 'base units; accounts or tasks',
    labels: { sum: 'sums of the books' },
    meaning:
      'by how much rows and contracts differ, of vaults the largest; of `credits`, `nonces` and `tasks` how many do, 25 at most',
  },
  taskmarket_books_unread: {
    type: 'gauge',
    unit: 'figures',
    labels: { sum: 'sums of the books' },
    meaning:
      'figures that a contract or a token did not answer, or that are still being counted; of `tasks` since the rotation began',
    action: '`vault_balance`: a token of a sponsor that cannot be read, nothing to do. Any other: check the node',
  },
  taskmarket_books_age_seconds: {
    type: 'gauge',
    unit: 'seconds',
    labels: { part: '`sums`, `tasks`' },
    meaning: 'since rows and contracts were last compared',
  },
  taskmarket_books_rotation_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning: 'how long the last look at every running task took',
    action: 'more than a day: there are more than four million running tasks',
  },
  taskmarket_sql_queries_total: {
    type: 'counter',
    unit: 'queries',
    labels: {
      outcome:
        '`ok`; `syntax`, `refused`, `limit`, `parameters` (about the query), `busy` (its client has others), `unavailable` (about the service), `cut_off` (the client is gone)',
    },
    meaning: 'queries of analysts over HTTP',
  },
  taskmarket_sql_query_seconds: {
    type: 'histogram',
    unit: 'seconds',
    meaning: 'time of a query, waiting for its turn included',
    buckets: SECONDS,
  },
  taskmarket_sql_engines: {
    type: 'gauge',
    unit: 'processes',
    labels: { state: '`busy`, `idle`' },
    meaning: 'processes of analysts’ queries; one that the server cannot interrupt is busy',
  },
  taskmarket_webhook_deliveries_total: {
    type: 'counter',
    unit: 'deliveries',
    labels: { outcome: '`delivered`, `failed`, `paused` (the last attempt of a day)' },
    meaning: 'entries posted to webhooks',
    action: 'receivers fail; all `failed`: check name servers and the way out of this machine',
  },
  taskmarket_loop_runs_total: {
    type: 'counter',
    unit: 'runs',
    labels: { loop: 'names of loops', outcome: '`ok`, `failed`' },
    meaning: 'runs of the background loops; a failed one is repeated',
    action: '`failed`: read the line `loop run failed`',
  },
  taskmarket_loop_last_run_timestamp_seconds: {
    type: 'gauge',
    unit: 'Unix seconds',
    labels: { loop: 'names of loops' },
    meaning: 'when a loop last finished a run',
  },
} as const satisfies Record<string, Metric>
