/**
 * `node scripts/metrics.ts`: writes docs/operate/metrics.md from the table of metrics.
 *
 *   --check    ends with 1 where it differs from the table, and writes nothing
 */
import { readOptions } from '../ops/process/read-options.ts'
import { toMetricsPage } from './metrics/metrics-page.ts'
import { writeGenerated } from './write-generated.ts'

const { values } = readOptions({ options: { check: { type: 'boolean', default: false } } })
const files = new Map([['docs/operate/metrics.md', toMetricsPage()]])
const isStale = writeGenerated(files, {
  isCheck: values.check,
  script: 'scripts/metrics.ts',
  source: 'metrics/table.ts',
})
process.exit(values.check && isStale ? 1 : 0)
