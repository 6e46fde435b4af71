import { type Metric, SECONDS } from './metric.ts'

/**
 * The metrics of `npm run indexer`. The metrics whose names begin with `ponder_` are recorded by Ponder itself, in
 * Ponder's own units.
 */
export const indexerMetrics = {
  taskmarket_indexer_running: {
    type: 'gauge',
    unit: '0 or 1',
    meaning: '1 while Ponder runs; 0 of a standby, and while node or database keep it from starting',
  },
  taskmarket_indexer_restarts_total: {
    type: 'counter',
    unit: 'restarts',
    meaning: 'restarts of Ponder',
    action: 'read the lines `restarting Ponder: it ...`',
  },
  taskmarket_indexer_indexed_block: { type: 'gauge', unit: 'blocks', meaning: 'newest block of its rows' },
  taskmarket_indexer_node_block: { type: 'gauge', unit: 'blocks', meaning: 'newest block of its node' },
  ponder_sync_is_realtime: {
    type: 'gauge',
    unit: '0 or 1',
    labels: { chain: 'name of the chain' },
    meaning: 'whether the backfill is over',
    source: 'ponder',
  },
  ponder_realtime_reorg_total: {
    type: 'counter',
    unit: 'reorgs',
    labels: { chain: 'name of the chain' },
    meaning: 'reorgs that were undone in the rows',
    source: 'ponder',
  },
  ponder_indexing_completed_events: {
    type: 'gauge',
    unit: 'events',
    labels: { chain: 'name of the chain', event: 'events of `ponder.config.ts`' },
    meaning: 'events that were handled since the start',
    source: 'ponder',
  },
  ponder_indexing_function_duration: {
    type: 'histogram',
    unit: 'milliseconds',
    labels: { chain: 'name of the chain', event: 'events of `ponder.config.ts`' },
    meaning: 'time of a handler',
    source: 'ponder',
  },
  ponder_rpc_request_duration: {
    type: 'histogram',
    unit: 'milliseconds',
    labels: { chain: 'name of the chain', method: 'methods of the node' },
    meaning: 'requests to the node that were answered',
    source: 'ponder',
  },
  ponder_rpc_request_error_total: {
    type: 'counter',
    unit: 'requests',
    labels: { chain: 'name of the chain', method: 'methods of the node' },
    meaning: 'requests to the node that failed',
    source: 'ponder',
  },
} as const satisfies Record<string, Metric>

/** The metrics of `npm run graphql`. */
export const graphqlMetrics = {
  taskmarket_graphql_requests_total: {
    type: 'counter',
    unit: 'requests',
    labels: { code: '`OK`, codes of errors' },
    meaning: 'answered requests',
    action: '`OVERLOADED` or `INTERNAL_SERVER_ERROR` that grow: read its log',
  },
  taskmarket_graphql_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    meaning: 'time of a request, waiting for its turn included',
    buckets: SECONDS,
  },
  taskmarket_graphql_connections: {
    type: 'gauge',
    unit: 'connections',
    labels: { state: '`busy`, `idle`, `waiting` (requests that wait for one)' },
    meaning: 'connections of the pool to the reader’s database',
  },
} as const satisfies Record<string, Metric>

/** The metrics of `npm run standby-keeper`, except those about its disk. */
export const keeperMetrics = {
  taskmarket_standby_answering: {
    type: 'gauge',
    unit: '0 or 1',
    meaning: 'whether the standby answered the last look',
  },
  taskmarket_standby_streaming: {
    type: 'gauge',
    unit: '0 or 1',
    meaning: 'whether it receives the log of its primary',
  },
  taskmarket_standby_replay_lag_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning:
      'age of the newest commit that it has replayed; 0 where it has replayed all that it received from a primary that is connected',
  },
  taskmarket_standby_shared_bytes: {
    type: 'gauge',
    unit: 'bytes',
    meaning: 'memory that processes of parallel queries share',
  },
  taskmarket_standby_ended_sessions_total: {
    type: 'counter',
    unit: 'sessions',
    labels: { login: 'logins that the keeper bounds', how: '`asked`, `killed`' },
    meaning: 'sessions that the keeper ended',
    action: '`killed` restarts the standby: find the query in the log of the service',
  },
} as const satisfies Record<string, Metric>

/**
 * The metrics that prom-client records in every process. prom-client also exports metrics that are not in this list.
 */
export const processMetrics = {
  process_start_time_seconds: { type: 'gauge', unit: 'Unix seconds', meaning: 'start of the process', source: 'node' },
  process_cpu_seconds_total: { type: 'counter', unit: 'seconds', meaning: 'processor time', source: 'node' },
  process_resident_memory_bytes: { type: 'gauge', unit: 'bytes', meaning: 'memory of the process', source: 'node' },
  process_open_fds: { type: 'gauge', unit: 'files', meaning: 'open files and sockets', source: 'node' },
  process_max_fds: { type: 'gauge', unit: 'files', meaning: 'the most that may be open', source: 'node' },
  nodejs_eventloop_lag_p99_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning: 'delay of the event loop, 99th percentile since the last scrape',
    source: 'node',
  },
  nodejs_heap_size_used_bytes: { type: 'gauge', unit: 'bytes', meaning: 'used heap', source: 'node' },
} as const satisfies Record<string, Metric>
