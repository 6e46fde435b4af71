import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { metricTable } from '../../../metrics/table.ts'
import { dashboards } from '../../../scripts/metrics/grafana.ts'
import { listLabels } from '../../../scripts/metrics/metric-names.ts'
import { readAlerts } from '../../../scripts/metrics/read-alerts.ts'
import { findPromtool } from '../../../scripts/stack/find-promtool.ts'

const queries = dashboards.flatMap(({ title, panels }) =>
  panels.flatMap((panel) => panel.queries.map((query) => ({ ...query, where: `${title}, ${panel.title}` }))),
)
const alerts = readAlerts().map(({ name, expression, summary }) => ({
  where: name,
  expression,
  legend: summary.replaceAll('{{ $labels.', '{{').replaceAll(' }}', '}}'),
}))

/** Labels of each series: a histogram has three. `up` and `ALERTS` are of Prometheus, which adds `job` and `instance` to all. */
const seriesLabels = new Map<string, string[]>([
  ['up', []],
  ['ALERTS', ['alertstate']],
  ...Object.entries(metricTable).flatMap(([name, metric]): [string, string[]][] => {
    const labels = 'labels' in metric ? Object.keys(metric.labels) : []
    if (metric.type !== 'histogram') return [[name, labels]]
    return [
      [`${name}_bucket`, [...labels, 'le']],
      [`${name}_sum`, labels],
      [`${name}_count`, labels],
    ]
  }),
])

test.each([...queries, ...alerts])(
  '$where: $expression is about series that there are, by labels that they have',
  (query) => {
    const { expression, legend } = query
    const names = expression.match(/\b(?:up|ALERTS|(?:taskmarket|ponder|process|nodejs)_\w+)\b/g) ?? []
    expect(names.filter((name) => !seriesLabels.has(name))).toEqual([])
    expect(names).not.toEqual([])

    const made = /label_replace\(.*?, "(\w+)"/.exec(expression)?.slice(1) ?? []
    const labels = new Set([...names.flatMap((name) => seriesLabels.get(name) ?? []), ...made, 'job', 'instance'])
    const { matched, kept } = listLabels(expression)
    expect([...matched, ...(kept ?? [])].filter((label) => !labels.has(label))).toEqual([])
    const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    expect(shown.filter((label) => !(kept ?? [...labels]).includes(label))).toEqual([])
  },
)

const promtool = findPromtool() ?? ''
test.runIf(promtool !== '')('promtool parses every expression of a panel', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-dashboards-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const rules = queries.map(({ expression }, index) => ({ record: `query:${index}`, expr: expression }))
  // JSON is YAML.
  writeFileSync(join(directory, 'rules.yml'), JSON.stringify({ groups: [{ name: 'dashboards', rules }] }))
  const { stdout } = await promisify(execFile)(promtool, ['check', 'rules', 'rules.yml'], { cwd: directory })
  expect(stdout).toContain(`SUCCESS: ${queries.length} rules found`)
})
