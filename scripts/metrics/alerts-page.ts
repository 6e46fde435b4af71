import { generatedBy } from '../generated-by.ts'
import type { Alert } from './read-alerts.ts'

/** The text of docs/operate/alerts.md. */
export function toAlertsPage(alerts: readonly Alert[]): string {
  const rows = alerts.map(({ name, severity, expression, forTime, description, runbook }) => {
    const page = runbook.replace('docs/operate/', '')
    const signal = `\`${expression.replaceAll('|', '\\|')}\``
    return `| \`${name}\` | ${severity} | ${description} | ${signal} | ${forTime} | [${runbookName(runbook)}](${page}) |`
  })
  return `# Alerts

${generatedBy('scripts/metrics.ts', 'ops/prometheus/rules.yml')}

Look up what an alert means, how its rule reads, and which page says what to do. \`ops/prometheus/rules.yml\` has the rules for
Prometheus, \`ops/prometheus/prometheus.yml\` scrapes the four programs, and
\`ops/prometheus/rules.test.yml\` has a case of each that fires and one that does not:

\`\`\`sh
promtool check rules ops/prometheus/rules.yml
promtool test rules ops/prometheus/rules.test.yml
\`\`\`

\`page\`: a person acts now. \`ticket\`: within days. The annotation \`runbook_url\` is the path of the page in this repository.
Without Prometheus: \`docs/operate/operator-webhooks.md\`. Metrics: \`docs/operate/metrics.md\`.

No person is told of an alert before \`prometheus.yml\` names an Alertmanager, whose routes tell the two severities apart:

\`\`\`yaml
# prometheus.yml
alerting: { alertmanagers: [{ static_configs: [{ targets: ["127.0.0.1:9093"] }] }] }
\`\`\`

\`\`\`yaml
# alertmanager.yml, with your receivers
route: { receiver: tickets, routes: [{ matchers: ['severity="page"'], receiver: pages }] }
receivers: [{ name: tickets, webhook_configs: [{ url: "https://..." }] }, { name: pages, webhook_configs: [{ url: "https://..." }] }]
\`\`\`

| alert | severity | meaning | signal | for | what to do |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}

function runbookName(runbook: string): string {
  return runbook.split('/').at(-1)?.replace('.md', '') ?? runbook
}
