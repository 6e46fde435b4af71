import type { Dashboard } from './panel.ts'

/** The dashboard about the indexer, its tables and its database. */
export const indexer: Dashboard = {
  uid: 'taskmarket-indexer',
  title: 'Task market: indexer',
  panels: [
    {
      title: 'Rows behind the chain',
      unit: 's',
      queries: [{ expression: 'max(taskmarket_indexer_lag_seconds)', legend: 'seconds of block time' }],
      redFrom: 30,
    },
    {
      title: 'Height',
      unit: 'short',
      queries: [
        { expression: 'max(taskmarket_indexer_node_block)', legend: 'node of the indexer' },
        { expression: 'max(taskmarket_indexer_indexed_block)', legend: 'rows' },
        { expression: 'max(taskmarket_chain_block)', legend: 'node of the service' },
      ],
    },
    {
      title: 'Blocks behind, as the service sees it',
      unit: 'short',
      queries: [{ expression: 'max(taskmarket_indexer_lag_blocks)', legend: 'blocks' }],
    },
    {
      title: 'Ponder runs',
      unit: 'short',
      queries: [
        { expression: 'taskmarket_indexer_running', legend: '{{instance}}' },
        { expression: 'max(ponder_sync_is_realtime)', legend: 'backfill is over' },
      ],
    },
    {
      title: 'Restarts and reorgs',
      unit: 'short',
      queries: [
        { expression: 'sum(increase(taskmarket_indexer_restarts_total[1h]))', legend: 'restarts an hour' },
        { expression: 'sum(increase(ponder_realtime_reorg_total[1h])) or vector(0)', legend: 'reorgs an hour' },
      ],
    },
    {
      title: 'Handled events',
      unit: 'short',
      queries: [{ expression: 'sum by (event) (ponder_indexing_completed_events)', legend: '{{event}}' }],
    },
    {
      title: 'Time of handlers, 95th percentile',
      unit: 'ms',
      queries: [
        {
          expression:
            'topk(10, histogram_quantile(0.95, sum by (event, le) (rate(ponder_indexing_function_duration_bucket[15m]))))',
          legend: '{{event}}',
        },
      ],
    },
    {
      title: 'Requests of Ponder to the node, 95th percentile',
      unit: 'ms',
      queries: [
        {
          expression: 'histogram_quantile(0.95, sum by (method, le) (rate(ponder_rpc_request_duration_bucket[15m])))',
          legend: '{{method}}',
        },
      ],
    },
    {
      title: 'Requests of Ponder that failed',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (method) (increase(ponder_rpc_request_error_total[15m])) or vector(0)',
          legend: '{{method}}',
        },
      ],
    },
    {
      title: 'Size of the database',
      unit: 'bytes',
      queries: [{ expression: 'max(taskmarket_database_size_bytes)', legend: 'without the log' }],
    },
    {
      title: 'Log that the primary writes',
      unit: 'Bps',
      queries: [{ expression: 'max(rate(taskmarket_database_wal_bytes_total[15m]))', legend: 'bytes a second' }],
    },
    {
      title: 'Log that slots keep, and standbys',
      unit: 'bytes',
      queries: [{ expression: 'max(taskmarket_database_retained_wal_bytes)', legend: 'kept by the slowest slot' }],
      redFrom: 10_000_000_000,
    },
    {
      title: 'Standbys that stream',
      unit: 'short',
      queries: [{ expression: 'max(taskmarket_database_standbys)', legend: 'connections' }],
    },
  ],
}
