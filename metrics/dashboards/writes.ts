import type { Dashboard } from './panel.ts'

/** The dashboard about relayed writes, from the request to the indexed block. */
export const writes: Dashboard = {
  uid: 'taskmarket-writes',
  title: 'Task market: writes',
  panels: [
    {
      title: 'Answers of write routes',
      unit: 'short',
      queries: [
        { expression: 'sum by (outcome) (increase(taskmarket_write_answers_total[10m]))', legend: '{{outcome}}' },
      ],
    },
    {
      title: 'Decided writes by operation',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (operation, outcome) (increase(taskmarket_writes_total[1h]))',
          legend: '{{operation}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Time of each stage, median',
      unit: 's',
      queries: [
        {
          expression: 'histogram_quantile(0.5, sum by (stage, le) (rate(taskmarket_write_stage_seconds_bucket[15m])))',
          legend: '{{stage}}',
        },
      ],
    },
    {
      title: 'Time of each stage, 95th percentile',
      unit: 's',
      queries: [
        {
          expression: 'histogram_quantile(0.95, sum by (stage, le) (rate(taskmarket_write_stage_seconds_bucket[15m])))',
          legend: '{{stage}}',
        },
      ],
    },
    {
      title: 'Writes without an outcome',
      unit: 'short',
      queries: [{ expression: 'max by (status) (taskmarket_intents)', legend: '{{status}}' }],
    },
    {
      title: 'Age of the oldest',
      unit: 's',
      queries: [{ expression: 'max by (status) (taskmarket_oldest_intent_seconds)', legend: '{{status}}' }],
      redFrom: 120,
    },
    {
      title: 'Transactions without a receipt',
      unit: 'short',
      queries: [{ expression: 'max(taskmarket_stuck_transactions)', legend: 'stuck' }],
      redFrom: 1,
    },
    {
      title: 'Reorgs',
      unit: 'short',
      queries: [
        { expression: 'sum(increase(taskmarket_reorgs_seen_total[1h]))', legend: 'seen an hour' },
        {
          expression: 'sum(increase(taskmarket_intents_reopened_total[1h])) or vector(0)',
          legend: 'writes sent again',
        },
      ],
    },
    {
      title: 'Nonces of relayers that differ',
      description: 'Below 0: another program uses the key.',
      unit: 'short',
      queries: [
        {
          expression:
            'max by (relayer) (taskmarket_relayer_nonce{source="database"}) - max by (relayer) (taskmarket_relayer_nonce{source="chain"})',
          legend: '{{relayer}}',
        },
      ],
    },
    {
      title: 'Requests to the node, 95th percentile',
      unit: 's',
      queries: [
        {
          expression:
            'histogram_quantile(0.95, sum by (method, le) (rate(taskmarket_chain_request_seconds_bucket[15m])))',
          legend: '{{method}}',
        },
      ],
    },
    {
      title: 'Nodes in use',
      unit: 'short',
      queries: [
        { expression: 'min by (node) (taskmarket_node_usable)', legend: 'node {{node}} usable' },
        { expression: 'max by (node) (taskmarket_node_current)', legend: 'node {{node}} has requests' },
      ],
    },
    {
      title: 'Height of nodes',
      unit: 'short',
      queries: [
        { expression: 'max by (node) (taskmarket_node_block)', legend: 'node {{node}}' },
        { expression: 'max(taskmarket_chain_block)', legend: 'head in use' },
      ],
    },
    {
      title: 'Requests that nodes did not answer',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (node, failure) (increase(taskmarket_node_failures_total[15m]))',
          legend: 'node {{node}} {{failure}}',
        },
      ],
    },
    {
      title: 'Background loops that failed',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (loop) (increase(taskmarket_loop_runs_total{outcome="failed"}[15m])) or vector(0)',
          legend: '{{loop}}',
        },
      ],
    },
    {
      title: 'Since the last run of a loop',
      unit: 's',
      queries: [
        {
          expression:
            'time() - max by (loop) (taskmarket_loop_last_run_timestamp_seconds{loop=~"outbox.*|receipts|reorgs"})',
          legend: '{{loop}}',
        },
      ],
      redFrom: 60,
    },
  ],
}
