import type { Dashboard } from './panel.ts'

/** The dashboard about HTTP answers, GraphQL, analysts' SQL and webhooks. */
export const reads: Dashboard = {
  uid: 'taskmarket-reads',
  title: 'Task market: reads',
  panels: [
    {
      title: 'Requests by route',
      unit: 'reqps',
      queries: [
        { expression: 'topk(15, sum by (route) (rate(taskmarket_http_requests_total[5m])))', legend: '{{route}}' },
      ],
    },
    {
      title: 'Answers that are no success',
      unit: 'reqps',
      queries: [
        {
          expression: 'sum by (status) (rate(taskmarket_http_requests_total{status=~"[45].."}[5m])) or vector(0)',
          legend: '{{status}}',
        },
      ],
    },
    {
      title: 'Time of a request, 99th percentile by route',
      unit: 's',
      queries: [
        {
          expression:
            'topk(15, histogram_quantile(0.99, sum by (route, le) (rate(taskmarket_http_request_seconds_bucket[15m]))))',
          legend: '{{route}}',
        },
      ],
    },
    {
      title: 'Waiting for a connection of the database',
      unit: 's',
      queries: [{ expression: 'taskmarket_database_wait_seconds', legend: '{{instance}}' }],
      redFrom: 0.5,
    },
    {
      title: 'Connections of the service',
      unit: 'short',
      queries: [{ expression: 'max by (state) (taskmarket_database_connections)', legend: '{{state}}' }],
    },
    {
      title: 'Where reads were answered',
      description: 'With READ_DATABASE_URLS.',
      unit: 'reqps',
      queries: [{ expression: 'sum by (outcome) (rate(taskmarket_public_reads_total[5m]))', legend: '{{outcome}}' }],
    },
    {
      title: 'Replicas',
      description: 'With READ_DATABASE_URLS: blocks behind the primary.',
      unit: 'short',
      queries: [
        { expression: 'max by (replica) (taskmarket_replica_lag_blocks)', legend: '{{replica}} behind' },
        { expression: 'min by (replica) (taskmarket_replica_usable)', legend: '{{replica}} usable' },
      ],
    },
    {
      title: 'GraphQL requests',
      unit: 'reqps',
      queries: [{ expression: 'sum by (code) (rate(taskmarket_graphql_requests_total[5m]))', legend: '{{code}}' }],
    },
    {
      title: 'Time of a GraphQL request',
      unit: 's',
      queries: [
        {
          expression: 'histogram_quantile(0.95, sum by (le) (rate(taskmarket_graphql_request_seconds_bucket[15m])))',
          legend: '95th percentile',
        },
      ],
    },
    {
      title: 'Connections of GraphQL',
      unit: 'short',
      queries: [{ expression: 'sum by (state) (taskmarket_graphql_connections)', legend: '{{state}}' }],
    },
    {
      title: 'Analysts’ queries',
      unit: 'short',
      queries: [
        { expression: 'sum by (outcome) (increase(taskmarket_sql_queries_total[15m]))', legend: '{{outcome}}' },
      ],
    },
    {
      title: 'Time of an analysts’ query',
      unit: 's',
      queries: [
        {
          expression: 'histogram_quantile(0.95, sum by (le) (rate(taskmarket_sql_query_seconds_bucket[15m])))',
          legend: '95th percentile',
        },
      ],
    },
    {
      title: 'Processes of analysts’ queries',
      unit: 'short',
      queries: [{ expression: 'sum by (state) (taskmarket_sql_engines)', legend: '{{state}}' }],
    },
    {
      title: 'Analysts’ standby',
      unit: 's',
      queries: [{ expression: 'taskmarket_standby_replay_lag_seconds', legend: 'behind at {{instance}}' }],
      redFrom: 60,
    },
    {
      title: 'Memory that parallel queries share',
      unit: 'bytes',
      queries: [{ expression: 'taskmarket_standby_shared_bytes', legend: '{{instance}}' }],
    },
    {
      title: 'Sessions that the keeper ended',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (login, how) (increase(taskmarket_standby_ended_sessions_total[1h])) or vector(0)',
          legend: '{{login}} {{how}}',
        },
      ],
    },
    {
      title: 'Deliveries to webhooks',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (outcome) (increase(taskmarket_webhook_deliveries_total[15m]))',
          legend: '{{outcome}}',
        },
      ],
    },
  ],
}
