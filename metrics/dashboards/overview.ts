import type { Dashboard } from './panel.ts'

/** The dashboard about the whole service. */
export const overview: Dashboard = {
  uid: 'taskmarket-overview',
  title: 'Task market: overview',
  panels: [
    {
      title: 'Alerts that fire',
      kind: 'number',
      unit: 'short',
      queries: [{ expression: 'count(ALERTS{alertstate="firing"}) or vector(0)', legend: 'alerts' }],
      redFrom: 1,
    },
    {
      title: 'Indexer behind',
      kind: 'number',
      unit: 's',
      queries: [{ expression: 'max(taskmarket_indexer_lag_seconds)', legend: 'seconds' }],
      redFrom: 30,
    },
    {
      title: 'Held writes',
      kind: 'number',
      unit: 'short',
      queries: [{ expression: 'max(taskmarket_intents{status="held"})', legend: 'held' }],
      redFrom: 1,
    },
    {
      title: 'Least runway of a relayer',
      description: 'Empty while none has signed anything in seven days.',
      kind: 'number',
      unit: 'd',
      queries: [{ expression: 'min(taskmarket_relayer_runway_days)', legend: 'days' }],
      redBelow: 7,
    },
    {
      title: 'Parts',
      description: '1: the part answered the last scrape.',
      unit: 'short',
      queries: [{ expression: 'min by (part) (taskmarket_up)', legend: '{{part}}' }],
    },
    {
      title: 'Processes',
      unit: 'short',
      queries: [{ expression: 'sum by (job) (up{job=~"taskmarket-.+"})', legend: '{{job}}' }],
    },
    {
      title: 'Requests',
      unit: 'reqps',
      queries: [
        {
          expression:
            'sum by (class) (label_replace(rate(taskmarket_http_requests_total[5m]), "class", "$1", "status", "(.).."))',
          legend: '{{class}}xx',
        },
      ],
    },
    {
      title: 'Decided writes',
      unit: 'short',
      queries: [
        { expression: 'sum by (outcome) (increase(taskmarket_writes_total[1h]))', legend: '{{outcome}} an hour' },
      ],
    },
    {
      title: 'Disk that is free',
      unit: 'percentunit',
      queries: [
        {
          expression: 'taskmarket_disk_free_bytes / taskmarket_disk_size_bytes',
          legend: '{{area}} at {{instance}}',
        },
      ],
      redBelow: 0.1,
    },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: [{ expression: 'process_resident_memory_bytes{job=~"taskmarket-.+"}', legend: '{{job}} {{instance}}' }],
    },
    {
      title: 'Processor time',
      unit: 'percentunit',
      queries: [
        { expression: 'rate(process_cpu_seconds_total{job=~"taskmarket-.+"}[5m])', legend: '{{job}} {{instance}}' },
      ],
    },
    {
      title: 'Event loop delay, 99th percentile',
      unit: 's',
      queries: [
        { expression: 'nodejs_eventloop_lag_p99_seconds{job=~"taskmarket-.+"}', legend: '{{job}} {{instance}}' },
      ],
      redFrom: 0.2,
    },
    {
      title: 'Certificates',
      description: 'Days until each expires; empty for http.',
      unit: 'd',
      queries: [{ expression: 'min by (setting) (taskmarket_certificate_remaining_days)', legend: '{{setting}}' }],
      redBelow: 14,
    },
    {
      title: 'Age of the newest export',
      description: 'With EXPORTS_DIR or EXPORTS_URL.',
      unit: 's',
      queries: [{ expression: 'max(taskmarket_export_age_seconds)', legend: 'age' }],
      redFrom: 129_600,
    },
  ],
}
