import type { MeasuredProgram, Metric } from '../../metrics/metric.ts'
import { graphqlMetrics, indexerMetrics, keeperMetrics, processMetrics } from '../../metrics/process-metrics.ts'
import { serviceMetrics } from '../../metrics/service-metrics.ts'
import { upkeepMetrics } from '../../metrics/upkeep-metrics.ts'
import { generatedBy } from '../generated-by.ts'

/** The port of each program's metrics, in words for the page. */
const places: Record<MeasuredProgram, string> = {
  api: '`METRICS_PORT`, or without it `PORT`',
  indexer: '`INDEXER_METRICS_PORT`',
  graphql: '`GRAPHQL_METRICS_PORT`, or without it `GRAPHQL_PORT`',
  'standby-keeper': '`STANDBY_METRICS_PORT`',
}

/** Returns the text of docs/operate/metrics.md. */
export function toMetricsPage(): string {
  const listeners = Object.entries(places).map(([program, place]) => `| \`npm run ${program}\` | ${place} |`)
  return `# Metrics

${generatedBy('scripts/metrics.ts', 'metrics/table.ts')}

Look up every metric, its labels and what to do about it. Each program serves Prometheus text at \`GET /metrics\`:

| program | port |
|---|---|
${listeners.join('\n')}

It is not for the public. A port of its own (\`..._METRICS_PORT\`, at \`METRICS_HOST\`, 127.0.0.1) has nothing else. Without it,
the port of the program serves \`/metrics\` to direct clients of the same machine, and to no client when \`TRUSTED_PROXIES\` is set.
\`npm start\` names all four in \`.local/stack.json\` (\`urls.metrics\`). Alerts: \`docs/operate/alerts.md\`.
Dashboards for Grafana, to be imported: \`ops/grafana\` (overview, writes, reads, indexer, money).

Values of the database and the chain are the same in every process of the service: use their maximum, not their sum. Every
label has few values, none of which a caller chooses. What these do not tell (processors, memory and disks of the
machines, the disk of the primary among them), Prometheus' \`node_exporter\` does.

## Requests, writes and the chain (\`npm run api\`)

${toTable(serviceMetrics)}

## Database, files, books and loops (\`npm run api\`)

${toTable(upkeepMetrics)}

## Indexer (\`npm run indexer\`)

Names that begin with \`ponder_\` are Ponder's own: the supervisor reads them from Ponder, which serves them to nothing else.

${toTable(indexerMetrics)}

## GraphQL (\`npm run graphql\`)

${toTable(graphqlMetrics)}

## Keeper of the analysts' standby (\`npm run standby-keeper\`)

With \`taskmarket_disk_free_bytes\` and \`taskmarket_disk_size_bytes\` of the area \`standby\`.

${toTable(keeperMetrics)}

## Every process

Of prom-client, which has more of \`process_*\` and \`nodejs_*\`.

${toTable(processMetrics)}
`
}

function toTable(metrics: Readonly<Record<string, Metric>>): string {
  const rows = Object.entries(metrics).map(([name, { type, unit, labels = {}, meaning, action }]) => {
    const labelTexts = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`)
    const cells = [`\`${name}\``, type, unit, labelTexts.join('<br>'), meaning, action ?? '']
    return `| ${cells.join(' | ')} |`
  })
  return ['| name | type | unit | labels | meaning | what to do |', '|---|---|---|---|---|---|', ...rows].join('\n')
}
