/**
 * `node scripts/metrics.ts`: generates three things: docs/operate/metrics.md from the table of metrics,
 * docs/operate/alerts.md from the rules of Prometheus, and the dashboards of ops/grafana from metrics/dashboards.
 *
 *   --check    ends with 1 where one differs from its source, and writes nothing
 */
import { readOptions } from '../ops/process/read-options.ts'
import { linkPages } from './link-pages.ts'
import { toAlertsPage } from './metrics/alerts-page.ts'
import { dashboards, toGrafana } from './metrics/grafana.ts'
import { toMetricsPage } from './metrics/metrics-page.ts'
import { readAlerts } from './metrics/read-alerts.ts'
import { writeGenerated } from './write-generated.ts'

const { values } = readOptions({ options: { check: { type: 'boolean', default: false } } })
const files = new Map([
  ['docs/operate/metrics.md', linkPages(toMetricsPage(), 'docs/operate/metrics.md')],
  ['docs/operate/alerts.md', linkPages(toAlertsPage(readAlerts()), 'docs/operate/alerts.md')],
  ...dashboards.map((dashboard): [string, string] => {
    const text = JSON.stringify(toGrafana(dashboard), null, 2)
    return [`ops/grafana/${dashboard.uid.replace('taskmarket-', '')}.json`, `${text}\n`]
  }),
])
const isStale = writeGenerated(files, {
  isCheck: values.check,
  script: 'scripts/metrics.ts',
  source: 'its source',
})
process.exit(values.check && isStale ? 1 : 0)
