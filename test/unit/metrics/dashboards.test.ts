import { expect, test } from 'vitest'
import { metricTable } from '../../../metrics/table.ts'
import { dashboards, toGrafana } from '../../../scripts/metrics/grafana.ts'
import { listMetricNames } from '../../../scripts/metrics/metric-names.ts'
import { readAlerts } from '../../../scripts/metrics/read-alerts.ts'

const isKnown = (name: string) => Object.hasOwn(metricTable, name)
const queries = dashboards.flatMap(({ title, panels }) =>
  panels.flatMap((panel) => panel.queries.map((query) => ({ ...query, where: `${title}, ${panel.title}` }))),
)

test('every metric of a panel is in the table, with the labels of its legend', () => {
  const wrong = queries.flatMap(({ where, expression, legend }) => {
    const names = listMetricNames(expression, isKnown)
    const labels = names.flatMap((name) => {
      const metric = Object.entries(metricTable).find(([known]) => known === name)?.[1]
      return metric !== undefined && 'labels' in metric ? Object.keys(metric.labels) : []
    })
    const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    const isLabel = (label: string) =>
      [...labels, 'job', 'instance'].includes(label) || expression.includes(`"${label}"`)
    return [...names.filter((name) => !isKnown(name)), ...shown.filter((label) => !isLabel(label))].map(
      (problem) => `${where}: ${problem}`,
    )
  })
  expect(wrong).toEqual([])
})

test('every metric of ours is in a dashboard or an alert', () => {
  const expressions = [...queries, ...readAlerts()].map(({ expression }) => expression)
  const shown = new Set(expressions.flatMap((expression) => listMetricNames(expression, isKnown)))
  const unseen = Object.keys(metricTable).filter((name) => name.startsWith('taskmarket_') && !shown.has(name))
  expect(unseen).toEqual([])
})

test('panels do not overlap, fill the width at most, and have ids and letters of their own', () => {
  for (const dashboard of dashboards) {
    interface Shown {
      id: number
      gridPos: { x: number; y: number; w: number; h: number }
      targets: { refId: string }[]
    }
    const { panels } = toGrafana(dashboard) as { panels: Shown[] }
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { targets } of panels) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
  }
})
